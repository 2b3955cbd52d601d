/* SPDX-License-Identifier: Apache-2.0 */
/* The first violation: a process makes its program smaller and sends each smaller one with its history, which is judged
 * again here. Then a part of the history is looked for that is enough. */
#include "collect/stress/stressing.h"

#include "base/budget.h"
#include "base/escape.h"
#include "collect/stress/client_file.h"
#include "collect/stress/record_log.h"
#include "collect/stress/shrink.h"
#include "collect/stress/wait.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

struct shrinking_there {
    struct stressing *x;
    const struct outlet *to;
};

/* For another process that goes on with it: the threads' first steps, and the steps. */
static void send_client(const struct outlet *to, const struct client *p)
{
    size_t from = ((size_t)p->threads + 1) * sizeof *p->from, steps = client_size(p) * sizeof *p->steps;
    struct mem mem = {0};
    char *bytes = mem_new(&mem, char, from + steps + 1);
    memcpy(bytes, p->from, from);
    memcpy(bytes + from, p->steps, steps);
    outlet_send(to, (struct parcel){PARCEL_CLIENT, p->threads, from + steps}, bytes);
    mem_release(&mem);
}

/* The program in thread columns, a NUL, the program as a file, a NUL, the history. */
static void send_smaller(void *context, const struct client *p, uint64_t seed, const char *text, size_t length)
{
    const struct shrinking_there *o = context;
    struct mem mem = {0};
    struct text both = text_in(&mem);
    client_show(p, &o->x->words, &both);
    text_char(&both, 0);
    client_file_write(&both, p, &o->x->words, seed);
    text_char(&both, 0);
    text_add(&both, text, length);
    send_client(o->to, p);
    outlet_send(o->to, (struct parcel){PARCEL_SMALLER, client_size(p), both.n}, both.at);
    mem_release(&mem);
}

static void shrink(void *arg)
{
    struct shrinking_there *s = arg;
    struct stressing *x = s->x;
    x->runner.error = NULL;
    struct client p = runner_program(&x->runner, x->judge.found.program, &x->mem);
    if (x->smaller.threads)
        p = x->smaller;
    shrink_program(x->settings, runner_workers(&x->runner), p, x->judge.found.pattern, x->shrink_until, x->runner.run,
                   send_smaller, s, &x->mem);
}

/* A lack of memory or threads ends it early: the smaller programs so far have been sent. */
static void shrink_there(void *context, const struct outlet *to)
{
    struct shrinking_there s = {context, to};
    escape_run(shrink, &s);
}

/* Parts of the program that was found, so there is room in its place. */
static void receive_client(struct stressing *x, struct parcel head, const char *bytes)
{
    struct client *p = &x->coming;
    size_t from = ((size_t)head.number + 1) * sizeof *p->from;
    p->threads = 0;
    if (head.number > x->most.threads || head.length < from)
        return;
    memcpy(p->from, bytes, from);
    uint32_t n = p->from[head.number];
    if (n > client_size(&x->most) || head.length != from + n * sizeof *p->steps)
        return;
    memcpy(p->steps, bytes + from, n * sizeof *p->steps);
    p->threads = (uint32_t)head.number;
}

static void take_client(struct stressing *x)
{
    struct client before = x->smaller;
    x->smaller = x->coming;
    x->coming = before;
}

/* The finding becomes that of the smaller program, if this process agrees. */
static void receive_smaller(void *context, struct parcel head, const char *bytes)
{
    struct stressing *x = context;
    if (head.kind == PARCEL_CLIENT)
        receive_client(x, head, bytes);
    const char *last = bytes + head.length, *file = memchr(bytes, 0, (size_t)head.length);
    const char *end = file ? memchr(file + 1, 0, (size_t)(last - file - 1)) : NULL;
    if (head.kind != PARCEL_SMALLER || !end)
        return;
    struct judge second = {.settings = &(struct stress_settings){.model = x->settings->model,
                                                                 .check = x->settings->check,
                                                                 .words = x->settings->words,
                                                                 .blocking = x->settings->blocking}};
    judge_see(&second, x->judge.found.program, end + 1, (size_t)(last - end - 1));
    char *program = second.found.text ? strdup(bytes) : NULL, *copy = program ? strdup(file + 1) : NULL;
    if (!copy) {
        free(program);
        free(second.found.text);
        return;
    }
    free(x->judge.found.text);
    take_client(x);
    x->judge.found.text = second.found.text;
    x->judge.found.length = second.found.length;
    free(x->out->program);
    free(x->out->file);
    x->out->program = program;
    x->out->file = copy;
    x->out->calls = (unsigned)head.number;
}

static bool wants_smaller(void *context)
{
    struct stressing *x = context;
    return !stress_stopped(x->settings);
}

static bool ends_shrinking(void *context)
{
    const struct stressing *x = context;
    return stress_stopped(x->settings) || budget_now() > x->shrink_until;
}

static void show_program(struct stressing *x)
{
    struct text text = text_in(&x->mem);
    struct client p = runner_program(&x->runner, x->judge.found.program, &x->mem);
    client_show(&p, &x->words, &text);
    if (!(x->out->program = strdup(text_get(&text))))
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    x->out->file = stressing_program(x, &p, runner_seed(&x->runner, x->judge.found.program, 0));
    x->out->calls = client_size(&p);
}

/* The smallest part found; without shrinking the whole, read again. */
static assay_history *smallest_part(struct stressing *x)
{
    const struct finding *found = &x->judge.found;
    assay_options room, options = *judge_options(x->settings, x->out->whole, &room);
    options.interrupt = ends_shrinking;
    options.interrupt_arg = x;
    x->shrink_until = budget_now() + x->settings->shrink; /* of its own: the program may have used up all */
    return x->settings->shrink > 0 ? assay_shrink(x->out->result, &options, NULL, x->error)
                                   : judge_read(found->text, found->length, x->error);
}

static bool is_of_one_thread(const assay_history *h)
{
    for (uint32_t op = 1; op < h->n; op++)
        if (h->thread[op] != h->thread[0])
            return false;
    return true;
}

/* The finding as a history, and the smallest part found that still violates the model, with its result. */
static void conclude(struct stressing *x)
{
    const struct stress_settings *s = x->settings;
    struct stress_outcome *o = x->out;
    o->result = judge_check(s, x->judge.found.text, x->judge.found.length, &o->whole, x->error);
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
    o->one_thread = is_of_one_thread(o->whole);
    o->history = smallest_part(x);
    assay_options room;
    const assay_options *options = judge_options(s, o->whole, &room);
    assay_result_free(o->result);
    o->result = o->history ? assay_check(o->history, s->model, options, x->error) : NULL;
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
}

/* A candidate whose calls wait takes its process with it. */
static bool candidate_waits(void *context)
{
    struct stressing *x = context;
    bool waits = stressing_waits(x);
    free(x->waited);
    x->waited = NULL;
    return waits;
}

static void shrink_in_processes(struct stressing *x)
{
    struct shared_run *run = x->runner.run;
    struct isolated_work work = {.run = run,
                                 .hang = x->settings->hang,
                                 .work = shrink_there,
                                 .receive = receive_smaller,
                                 .wants_more = wants_smaller,
                                 .waits = wait_is_possible(&x->words) ? candidate_waits : NULL,
                                 .context = x};
    uint32_t passed_over = 0;
    struct process_end end;
    x->most = runner_program(&x->runner, x->judge.found.program, &x->mem);
    x->smaller = client_empty(x->most.threads, client_size(&x->most), &x->mem);
    x->coming = client_empty(x->most.threads, client_size(&x->most), &x->mem);
    x->smaller.threads = x->coming.threads = 0;
    x->shrink_until = budget_now() + x->settings->shrink;
    do {
        atomic_store(&run->candidates, 0);
        atomic_store(&run->smaller, false);
        atomic_store(&run->passed_over, passed_over);
        record_log_wipe(x->runner.recorder);
        end = isolate(&work);
        passed_over = atomic_load(&run->smaller) ? 0 : atomic_load(&run->candidates);
    } while (end.kind == PROCESS_WAITED && !ends_shrinking(x));
}

/* The program and the history that were found first. */
struct first_finding {
    char *file, *text;
    size_t length;
    unsigned calls;
};

static struct first_finding note_first(const struct stressing *x)
{
    struct first_finding f = {strdup(x->out->file), malloc(x->judge.found.length + 1), x->judge.found.length,
                              x->out->calls};
    if (f.text)
        memcpy(f.text, x->judge.found.text, x->judge.found.length);
    return f;
}

/* They are kept if there is a smaller program now. */
static void take_first(struct stressing *x, struct first_finding *f)
{
    bool fine = f->file && f->text, smaller = x->smaller.threads;
    if (fine && smaller) {
        x->out->found_whole = judge_read(f->text, f->length, x->error);
        x->out->found_calls = f->calls;
        x->out->found_file = f->file;
        f->file = NULL;
    }
    free(f->file);
    free(f->text);
    if (!fine)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    if (smaller && !x->out->found_whole)
        escape_raise(ESCAPE_ERROR);
}

void first_violation_take(struct stressing *x)
{
    double began = budget_now();
    x->out->found_after = x->judge.found.at - x->runner.started;
    x->out->found_in = x->judge.found.program;
    show_program(x);
    struct first_finding first = note_first(x);
    if (!x->settings->replay && x->settings->shrink > 0)
        shrink_in_processes(x);
    take_first(x, &first);
    conclude(x);
    x->out->shrunk_in = budget_now() - began;
}
