/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/client_file.h"

#include "base/error.h"
#include "history/history.h"
#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

#define IMPLEMENTATION "implementation"
#define RUN_SEED "run-seed"
/* How many calls of the threads come before the others, and after them: `# @first t0:2 t1:1`. */
#define FIRST "first"
#define LAST "last"

static void write_counts(struct text *out, const char *key, const struct client *p, const uint32_t *counts)
{
    bool any = false;
    for (uint32_t t = 0; t < p->threads; t++) {
        if (counts[t])
            text_printf(out, "%s%s t%u:%u", any ? "" : "# @", any ? "" : key, (unsigned)t, (unsigned)counts[t]);
        any |= counts[t] > 0;
    }
    text_puts(out, any ? "\n" : "");
}

void client_file_write(struct text *out, const struct client *p, const struct vocabulary *v, uint64_t run_seed)
{
    text_printf(out, "# @object %s\n# @" IMPLEMENTATION " %s\n# @" RUN_SEED " %llu\n", v->adapter->object,
                v->adapter->name, (unsigned long long)run_seed);
    if (v->adapter->initial)
        text_printf(out, "# @init %s\n", v->adapter->initial);
    write_counts(out, FIRST, p, p->before);
    write_counts(out, LAST, p, p->after);
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = p->from[t]; i < p->from[t + 1]; i++) {
            text_printf(out, "t%u: ", (unsigned)t);
            client_show_step(&p->steps[i], v, out);
            text_char(out, '\n');
        }
}

/* ---- reading ---- */

static const struct header *find_header(const history *h, const char *key)
{
    for (uint32_t i = 0; i < h->headers.n; i++)
        if (strcmp(history_text(h, h->headers.at[i].key), key) == 0)
            return &h->headers.at[i];
    return NULL;
}

static bool read_seed(const history *h, uint64_t *seed, assay_error *e)
{
    const struct header *line = find_header(h, RUN_SEED);
    char *end;
    *seed = line ? strtoull(line->text, &end, 10) : 0;
    if (!line || (end > line->text && !*end))
        return true;
    error_set(e, ASSAY_ERROR_INPUT, "the seed of the run is not a whole number");
    error_place(e, history_source(h), line->line, 1);
    error_remedy(e, "`# @" RUN_SEED " 1`");
    return false;
}

static bool has_right_size(const history *h, assay_error *e)
{
    if (h->n && h->n <= STRESS_MOST_CALLS && h->threads.n <= STRESS_MOST_THREADS)
        return true;
    error_set(e, ASSAY_ERROR_INPUT, h->n ? "the program is too large" : "the program has no calls");
    error_place(e, history_source(h), 0, 0);
    error_remedy(e, "at most %u calls of %u threads, as in `t0: enq(1)`", (unsigned)STRESS_MOST_CALLS,
                 (unsigned)STRESS_MOST_THREADS);
    return false;
}

/* t0, t1, ... are the threads of these numbers, which may have roles. Other names count in the order of their first
 * calls. */
static bool has_number(const history *h, uint32_t thread, uint32_t *number)
{
    const char *name = history_text(h, h->threads.at[thread].name);
    char *end;
    *number = (uint32_t)strtoul(name + 1, &end, 10);
    return name[0] == 't' && name[1] >= '0' && name[1] <= '9' && !*end && *number < STRESS_MOST_THREADS;
}

static bool has_numbers(const history *h)
{
    uint32_t number;
    bool all = true;
    for (uint32_t t = 0; t < h->threads.n; t++)
        all &= has_number(h, t, &number);
    return all;
}

static uint32_t thread_of(const history *h, uint32_t thread, bool numbers)
{
    uint32_t number = thread;
    if (numbers)
        has_number(h, thread, &number);
    return number;
}

static uint32_t count_threads(const history *h)
{
    bool numbers = has_numbers(h);
    uint32_t n = 0;
    for (uint32_t t = 0; t < h->threads.n; t++)
        n = thread_of(h, t, numbers) >= n ? thread_of(h, t, numbers) + 1 : n;
    return n;
}

bool stress_replay_read(const char *path, struct stress_replay *out, assay_error *e)
{
    assay_reader *reader = assay_reader_open(path, "hist", e);
    history *h = reader ? assay_reader_next(reader, e) : NULL;
    *out = (struct stress_replay){.program = h};
    bool fine = h && has_right_size(h, e) && read_seed(h, &out->seed, e);
    if (reader && !h && e && e->code == ASSAY_OK)
        error_set(e, ASSAY_ERROR_INPUT, "%s: there is no client program in it", path);
    if (fine) {
        const struct header *name = find_header(h, IMPLEMENTATION);
        const struct header *initial = find_header(h, "init");
        out->implementation = name ? name->text : NULL;
        out->initial = initial ? initial->text : NULL;
        out->threads = count_threads(h);
        out->calls = h->n;
    }
    assay_reader_close(reader);
    return fine;
}

void stress_replay_free(struct stress_replay *r)
{
    assay_history_free(r->program);
    *r = (struct stress_replay){0};
}

/* ---- in the adapter's methods ---- */

struct translation {
    const history *h;
    const struct vocabulary *words;
    assay_error *error;
};

_Noreturn static void refuse(const struct translation *x, uint32_t op, const char *why)
{
    history_fault(x->h, op, x->error, ASSAY_ERROR_INPUT, "%s: %s", history_text(x->h, x->h->method[op]), why);
    char list[200] = "";
    for (uint32_t i = 0; i < x->words->n; i++)
        error_list(list, sizeof list, x->words->methods[i]->name);
    error_remedy(x->error, "a client program calls %s, with integers as arguments and without results", list);
    escape_raise(ESCAPE_ERROR);
}

static struct step translate(const struct translation *x, uint32_t thread, uint32_t op)
{
    const history *h = x->h;
    const char *name = history_text(h, h->method[op]);
    struct step s = {.method = vocabulary_find(x->words, name, strlen(name))};
    if (s.method == CLIENT_NONE)
        refuse(x, op, "the implementation has no such method");
    if (history_arity(h, op) != method_least(x->words->methods[s.method]))
        refuse(x, op, "the number of arguments is another one");
    if (!role_has(x->words->roles[s.method], thread))
        refuse(x, op, "this thread does not call it");
    if (history_result(h, op).kind != ASSAY_NONE || history_pending(h, op))
        refuse(x, op, "the call has a result");
    for (uint32_t i = 0; i < history_arity(h, op); i++) {
        struct value v = history_arg(h, op, i);
        if (v.kind != ASSAY_INT)
            refuse(x, op, "an argument is not an integer");
        s.args[i] = v.bits;
    }
    const struct vocabulary *words = x->words;
    const char *why = allowed_objection(words->spec, &words->setting, words->methods[s.method], s.args);
    if (why)
        refuse(x, op, why);
    return s;
}

/* No thread has more calls than it makes; what FIRST has taken is not there for LAST. */
static void read_counts(const struct translation *x, const char *key, const struct client *p, uint32_t *counts)
{
    const struct header *line = find_header(x->h, key);
    unsigned thread, calls;
    int length = 0;
    for (const char *at = line ? line->text : ""; *at; at += strspn(at, " ")) {
        bool fine = sscanf(at, "t%u:%u%n", &thread, &calls, &length) == 2 && (at[length] == ' ' || !at[length]) &&
                    thread < p->threads && !counts[thread];
        uint32_t made = fine ? p->from[thread + 1] - p->from[thread] : 0;
        if (!fine || calls > made - p->before[thread]) {
            error_set(x->error, ASSAY_ERROR_INPUT, "`%s` does not fit the calls: '%s'", key, at);
            error_place(x->error, history_source(x->h), line->line, 1);
            error_remedy(x->error, "THREAD:CALLS ..., at most the calls that the thread makes, as in `# @%s t0:1`",
                         key);
            escape_raise(ESCAPE_ERROR);
        }
        counts[thread] = calls;
        at += length;
    }
}

struct client client_file_program(const struct stress_replay *r, const struct vocabulary *v, struct mem *mem,
                                  assay_error *e)
{
    struct translation x = {r->program, v, e};
    struct client p = client_empty(r->threads, r->calls, mem);
    uint32_t n = 0, *number = mem_new(mem, uint32_t, (size_t)x.h->threads.n + 1);
    for (uint32_t t = 0; t < x.h->threads.n; t++)
        number[t] = thread_of(x.h, t, has_numbers(x.h));
    for (uint32_t t = 0; t < r->threads; t++) {
        for (uint32_t op = 0; op < x.h->n; op++)
            if (number[x.h->thread[op]] == t)
                p.steps[n++] = translate(&x, t, op);
        p.from[t + 1] = n;
    }
    read_counts(&x, FIRST, &p, p.before);
    read_counts(&x, LAST, &p, p.after);
    return p;
}
