/* SPDX-License-Identifier: Apache-2.0 */
/* Blame, for every object of the table that has sequential states: a call that changes nothing returns a wrong result.
 *
 *   blame_objects [--quick|--long]
 *
 * Calls are drawn from the methods of the specification, which also answers them. Values repeat; they are numbers, or
 * words. Some threads end with a pending call, some histories have equal times, some have 20 objects. Then one result is
 * replaced. A strange result, that no call names, must be blamed on its call. A result that another call of the method
 * had may be possible. Where it is not, and the call changes nothing with it either, the call is blamed in most
 * histories (LEAST percent). Every proof is rechecked. The same proof with another culprit must be refused. */
#include "assay.h"
#include "base/mem.h"
#include "spec/spec.h"
#include "support/chance.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEP = 100, WIDEST = 150, MOST_ARGS = 3, POOL = 5, OBJECTS = 20, LEAST = 70, STRANGE = 7777777 };
enum { BYTES = 256 };

struct made {
    unsigned object, method;
    char call[BYTES], result[BYTES]; /* result: empty, there is none */
    bool observes, looks, pending;   /* looks: it changes nothing, whatever its result is */
};

struct history {
    const assay_spec *spec;
    const char *kind;
    assay_setting setting;
    bool words, coarse; /* values; times */
    unsigned objects;
    struct made *made;
    int n, wrong;
};

struct score {
    int strange, swapped, right, small; /* of the swapped ones: blamed right, for a small reason */
    int looks, seen;                    /* of those that change nothing with the wrong result either: blamed right */
};

static void fail(const struct history *x, const char *what)
{
    fprintf(stderr, "%s, %d calls, state %" PRIu64 ": %s\n", x->kind, x->n, chance_state, what);
    exit(1);
}

/* ---- values ---- */

/* A word, whose number tells it from others. */
static assay_value pooled(const struct history *x)
{
    static const char *const words[POOL] = {"ann", "bob", "cat", "dan", "eve"};
    int i = below(POOL);
    return x->words ? (assay_value){ASSAY_WORD, i + 1, words[i], 3} : assay_int(i + 1);
}

static void put_value(char *out, assay_value v);

static void put_list(char *out, assay_value list)
{
    char element[BYTES], rest[BYTES];
    if (!list.length)
        return;
    put_value(element, assay_list_last(list));
    rest[0] = 0;
    put_list(rest, assay_list_before(list));
    snprintf(out, BYTES, "%.100s%s%.100s", rest, *rest ? " " : "", element);
}

static void put_value(char *out, assay_value v)
{
    char list[BYTES] = "";
    switch (v.kind) {
    case ASSAY_INT: snprintf(out, BYTES, "%" PRId64, v.integer); break;
    case ASSAY_STRING: snprintf(out, BYTES, "\"%.*s\"", (int)v.length, v.text); break;
    case ASSAY_LIST:
        put_list(list, v);
        snprintf(out, BYTES, "[%.200s]", list);
        break;
    case ASSAY_NONE: out[0] = 0; break;
    default: snprintf(out, BYTES, "%.*s", (int)v.length, v.text);
    }
}

static assay_value argument(const struct history *x, const assay_method *m, unsigned i)
{
    static const char *const pieces[POOL] = {"a,", "b,", "c,", "d,", "e,"};
    int piece = below(POOL);
    if (x->spec == &spec_bank)
        return assay_int(i < 2 ? below(3) : 1 + below(6));
    if (x->spec == &spec_counter)
        return assay_int(below(7) - 3);
    if (x->spec == &spec_append_map && i == 1)
        return (assay_value){ASSAY_STRING, POOL + 1 + piece, pieces[piece], 2};
    (void)m;
    return pooled(x);
}

/* ---- the calls ---- */

static unsigned method_count(const assay_spec *spec)
{
    unsigned n = 0;
    while (spec->methods[n].name)
        n++;
    return n;
}

/* A call that can take effect now. */
static void make_call(const struct history *x, void *state, struct made *out)
{
    for (;;) {
        assay_value args[MOST_ARGS], answer = {0};
        assay_saved saved;
        out->method = (unsigned)below((int)method_count(x->spec));
        const assay_method *m = &x->spec->methods[out->method];
        unsigned arity = m->arity == ASSAY_NONE_OR_ONE ? 0 : m->arity;
        for (unsigned i = 0; i < arity; i++)
            args[i] = argument(x, m, i);
        assay_call call = {.method = m->id, .arg_count = arity, .args = args};
        if (m->key == ASSAY_NO_EFFECT || spec_objection(x->spec, &x->setting, &call) ||
            hook_step(x->spec, state, &call, 0, &answer, &saved) == ASSAY_BLOCKED)
            continue;
        if (m->result == ASSAY_RESULT_NONE)
            answer = (assay_value){0};
        call.result = answer;
        out->observes = spec_observes(x->spec, &call);
        out->looks = spec_is_observer(x->spec, &call);
        int at = snprintf(out->call, BYTES, "%s(", m->name);
        for (unsigned i = 0; i < arity; i++) {
            char text[BYTES];
            put_value(text, args[i]);
            at += snprintf(out->call + at, (size_t)(BYTES - at), "%s%s", i ? ", " : "", text);
        }
        snprintf(out->call + at, (size_t)(BYTES - at), ")");
        put_value(out->result, answer);
        return;
    }
}

static void simulate(struct history *x)
{
    struct mem mem = {0};
    void *state[OBJECTS];
    for (unsigned o = 0; o < x->objects; o++)
        state[o] = hook_create(x->spec, &x->setting, (assay_value){0}, &mem);
    for (int i = 0; i < x->n; i++) {
        x->made[i] = (struct made){.object = (unsigned)below((int)x->objects)};
        make_call(x, state[x->made[i].object], &x->made[i]);
        x->made[i].pending = i + THREADS >= x->n && chance(20);
    }
    mem_release(&mem);
}

/* ---- the fault ---- */

static bool may_be_wrong(const struct made *m)
{
    return m->observes && !m->pending && m->result[0];
}

/* False: the result is true or false, and no other one is strange. */
static bool strange(const struct made *m, char *out)
{
    if (strcmp(m->result, "true") == 0 || strcmp(m->result, "false") == 0 || strcmp(m->result, "ok") == 0 ||
        strcmp(m->result, "refused") == 0)
        return false;
    if (m->result[0] == '[')
        snprintf(out, BYTES, "[%d]", STRANGE);
    else
        snprintf(out, BYTES, m->result[0] == '"' ? "\"%d\"" : "%d", STRANGE);
    return true;
}

static const char *swapped(const struct history *x, const struct made *m)
{
    for (int tries = 0; tries < 100; tries++) {
        const struct made *other = &x->made[below(x->n)];
        if (other->method == m->method && other->result[0] && !other->pending && strcmp(other->result, m->result) != 0)
            return other->result;
    }
    return NULL;
}

static bool corrupt(struct history *x, bool strangely)
{
    for (int tries = 0; tries < 100; tries++) {
        x->wrong = x->n / 4 + below(x->n / 2);
        struct made *m = &x->made[x->wrong];
        char result[BYTES];
        const char *other = NULL;
        if (!may_be_wrong(m) || (strangely ? !strange(m, result) : !(other = swapped(x, m))))
            continue;
        if (other)
            memcpy(result, other, sizeof result);
        memcpy(m->result, result, sizeof result);
        return true;
    }
    return false;
}

/* ---- the check ---- */

static char *text_of(const struct history *x)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    int unit = x->coarse ? STEP / 2 : 1;
    if (x->objects == 1)
        fprintf(f, "# @object %s\n", x->kind);
    for (unsigned o = 0; o < x->objects && x->objects > 1; o++)
        fprintf(f, "# @object o%u %s\n", o, x->kind);
    for (int i = 0; i < x->n; i++) { /* a thread has every fourth call, so its own do not overlap */
        const struct made *m = &x->made[i];
        int at = (i + 2) * STEP, called = (at - below(WIDEST)) / unit, returned = (at + 1 + below(WIDEST)) / unit;
        fprintf(f, "t%d: ", i % THREADS);
        if (x->objects > 1)
            fprintf(f, "o%u.", m->object);
        fputs(m->call, f);
        if (m->result[0] && !m->pending)
            fprintf(f, " => %s", m->result);
        fprintf(f, " @ %d..", called);
        if (!m->pending)
            fprintf(f, "%d", returned);
        fputc('\n', f);
    }
    fclose(f);
    return text;
}

static bool accepts(const assay_history *h, const char *line, assay_error *e)
{
    uint32_t index;
    *e = (assay_error){0};
    return assay_recheck(h, line, &index, e);
}

/* The line with another number behind a field's name, and what follows in brackets. */
static char *forged(const char *line, uint32_t culprit)
{
    const char *at = strstr(line, "\"culprit\":"), *kept = strstr(line, "\"kept\":[");
    const char *behind = at ? at + strcspn(at, ",") : NULL, *end = kept ? strchr(kept, ']') : NULL;
    char *out = NULL;
    size_t size;
    if (!behind || !end)
        return NULL;
    FILE *f = open_memstream(&out, &size);
    fprintf(f, "%.*s\"culprit\":%u%.*s\"kept\":[%u%s", (int)(at - line), line, culprit, (int)(kept - behind), behind,
            culprit, end);
    fclose(f);
    return out;
}

/* Another call alone is not at fault: the history without the wrong result is consistent. */
static void forge(const struct history *x, const assay_history *h, const char *line)
{
    assay_error e;
    uint32_t other = (uint32_t)below(x->n);
    bool innocent = x->made[x->wrong].looks && other != (uint32_t)x->wrong && !x->made[other].pending;
    char *lie = innocent ? forged(line, other) : NULL;
    if (lie && accepts(h, lie, &e))
        fail(x, lie);
    free(lie);
}

static void judge(struct history *x, bool strangely, struct score *s)
{
    char *text = text_of(x);
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r)
        fail(x, e.message);
    bool violation = assay_result_verdict(r) == ASSAY_VIOLATION;
    if (strangely && !violation)
        fail(x, "the strange result was not noticed");
    if (violation) {
        char *line = evidence_line(r);
        bool right = (int)assay_result_culprit(r) == x->wrong;
        bool small = strcmp(assay_result_pattern(r), "NoLinearization") != 0;
        if (!accepts(h, line, &e))
            fail(x, e.message);
        if (strangely && !right) {
            fputs(text, stderr);
            fprintf(stderr, "%s; the wrong call is number %d\n", line, x->wrong);
            fail(x, "the strange result is blamed on another call");
        }
        forge(x, h, line);
        s->strange += strangely;
        s->swapped += !strangely;
        s->right += !strangely && right;
        s->looks += !strangely && x->made[x->wrong].looks;
        s->seen += !strangely && x->made[x->wrong].looks && right;
        s->small += !strangely && right && small;
        free(line);
    }
    assay_result_free(r);
    assay_history_free(h);
    free(text);
}

/* ---- all objects ---- */

static const char *kind_of(const assay_spec *spec)
{
    return spec == &spec_semaphore            ? "semaphore(2)"
           : spec == &spec_counting_semaphore ? "counting-semaphore(2)"
           : spec == &spec_bank               ? "bank(3,10)"
                                              : spec->name;
}

static assay_setting setting_of(const assay_spec *spec)
{
    bool bank = spec == &spec_bank;
    bool two = spec == &spec_semaphore || spec == &spec_counting_semaphore;
    return (assay_setting){.parameter = bank ? assay_word("3,10") : two ? assay_int(2) : (assay_value){0}};
}

/* The results of a transaction stand among its arguments, and an exchanger has no states: these two are not tried.
 * The adds of a bounded queue have no strange results: a file with another word is refused. */
static bool has_states(const assay_spec *spec)
{
    return spec->create && spec != &spec_multi_register && spec != &spec_bounded_queue;
}

static void try_object(const assay_spec *spec, uint32_t number, uint32_t rounds)
{
    struct score s = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        struct history x = {.spec = spec, .kind = kind_of(spec), .setting = setting_of(spec)};
        chance_state = 1000003 * (uint64_t)round + 100 * (uint64_t)number + 7;
        x.words = chance(30) && spec != &spec_pqueue;
        x.coarse = chance(30);
        x.objects = chance(25) ? OBJECTS : 1;
        x.n = (x.objects > 1 ? 200 : 30) + below(60);
        x.made = calloc((size_t)x.n, sizeof *x.made);
        bool strangely = chance(50);
        simulate(&x);
        if (corrupt(&x, strangely))
            judge(&x, strangely, &s);
        free(x.made);
    }
    printf("%-19s strange %4d, all blamed; swapped %4d, blamed %4d, for a small reason %4d\n", spec->name, s.strange,
           s.swapped, s.right, s.small);
    if (s.seen * 100 < s.looks * LEAST) {
        fprintf(stderr, "%s: too many results are blamed on other calls\n", spec->name);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = by_tier(request_of(argc, argv).tier, 60, 300, 6000);
    for (uint32_t i = 0; spec_table[i]; i++)
        if (has_states(spec_table[i]))
            try_object(spec_table[i], i, rounds);
    return 0;
}
