/* SPDX-License-Identifier: Apache-2.0 */
/* The processes and their order. One runs the programs; after a casualty another one may go on. A last one shrinks the
 * first violation. The verdicts are those of this process, whose memory the implementation does not
 * reach. */
#include "collect/stress/stress.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/hash.h"
#include "collect/stress/casualty.h"
#include "collect/stress/client_file.h"
#include "collect/stress/shrink.h"

#include <stdlib.h>

struct stressing {
    const struct stress_settings *settings;
    struct stress_outcome *out;
    assay_error *error;
    struct mem mem; /* of the vocabulary, and for shrinking */
    struct vocabulary words;
    struct judge judge;
    struct runner runner;
    struct client replayed;
};

enum parcel_kind { PARCEL_PROGRAM, PARCEL_HISTORY, PARCEL_SMALLER, PARCEL_ERROR };

_Noreturn static void give_up(struct stressing *x, const char *why)
{
    error_set(x->error, ASSAY_ERROR_RESOURCE, "%s: %s", x->settings->adapter->name, why);
    escape_raise(ESCAPE_ERROR);
}

/* ---- the process that runs the programs ---- */

static void send_program(void *context, uint64_t program, uint64_t runs)
{
    outlet_send(context, (struct parcel){PARCEL_PROGRAM, program, sizeof runs}, &runs);
}

static void send_history(void *context, uint64_t program, const char *text, size_t length)
{
    outlet_send(context, (struct parcel){PARCEL_HISTORY, program, length}, text);
}

static void send_error(const struct outlet *to, const assay_error *e)
{
    outlet_send(to, (struct parcel){PARCEL_ERROR, 0, sizeof *e}, e);
}

static void run_there(void *context, const struct outlet *to)
{
    struct stressing *x = context;
    assay_error e = {0};
    struct outlet outlet = *to;
    x->runner.begins = send_program;
    x->runner.history = send_history;
    x->runner.context = &outlet;
    x->runner.error = &e;
    if (!runner_run(&x->runner))
        send_error(to, &e);
}

static void receive_history(void *context, struct parcel head, const char *bytes)
{
    struct stressing *x = context;
    if (head.kind == PARCEL_PROGRAM && head.length == sizeof x->runner.runs) {
        x->runner.programs = head.number;
        memcpy(&x->runner.runs, bytes, sizeof x->runner.runs);
    } else if (head.kind == PARCEL_HISTORY)
        judge_see(&x->judge, head.number, bytes, (size_t)head.length);
    else if (head.kind == PARCEL_ERROR && head.length == sizeof(assay_error) && x->judge.error.code == ASSAY_OK)
        memcpy(&x->judge.error, bytes, sizeof x->judge.error);
}

/* ---- the numbers in shared memory, which the implementation may have damaged ---- */

/* Can this many runs have begun, after those before the last program that is known here? */
static bool runs_are_sound(const struct stressing *x, uint64_t runs)
{
    return runs >= x->runner.runs && runs - x->runner.runs <= x->settings->repeats;
}

static bool calls_are_sound(const struct stressing *x, const struct thread_stage *t)
{
    uint64_t made = atomic_load(&t->calls);
    return atomic_load(&t->failed) <= made && made / workers_room(x->settings->invocations) <= x->runner.runs;
}

/* Takes them over when the process has ended, and puts right those that cannot be true. False: there were such. */
static bool take_counts(struct stressing *x)
{
    struct shared_run *run = x->runner.run;
    uint64_t runs = atomic_load(&run->runs);
    bool sound = runs_are_sound(x, runs) && x->runner.programs - atomic_load(&run->programs) <= 1;
    x->runner.runs = runs_are_sound(x, runs) ? runs : x->runner.runs + 1; /* one, at least, has begun since */
    atomic_store(&run->runs, x->runner.runs);
    atomic_store(&run->programs, x->runner.programs);
    for (unsigned t = 0; t < STRESS_MOST_THREADS; t++) {
        if (calls_are_sound(x, &run->threads[t]))
            continue;
        sound = false;
        atomic_store(&run->threads[t].calls, 0);
        atomic_store(&run->threads[t].failed, 0);
    }
    return sound;
}

static bool wants_more(void *context)
{
    struct stressing *x = context;
    const struct stress_settings *s = x->settings;
    uint64_t runs = atomic_load(&x->runner.run->runs);
    if (s->progress)
        s->progress(s->context, runs_are_sound(x, runs) ? runs : x->runner.runs);
    return judge_wants_more(&x->judge) && !stress_stopped(s);
}

/* Until no more is wanted; after a casualty the next process begins with the next program. */
static void run_programs(struct stressing *x)
{
    struct isolated_work work = {.run = x->runner.run,
                                 .hang = x->settings->hang,
                                 .work = run_there,
                                 .receive = receive_history,
                                 .wants_more = wants_more,
                                 .context = x};
    struct process_end end;
    do {
        end = isolate(&work);
        if (end.kind == PROCESS_NONE)
            give_up(x, "a process could not be made for it");
        bool sound = take_counts(x);
        if (!sound && end.kind == PROCESS_FINISHED)
            end.kind = PROCESS_MEDDLED;
        if (end.kind == PROCESS_MEDDLED) /* an error in the record comes from that */
            x->judge.error = (assay_error){0};
        if (casualty_is(end) && !x->out->casualties++)
            x->out->casualty = casualty_of(&x->runner, end, sound, x->out->mem);
    } while (casualty_is(end) && x->settings->keep_going && wants_more(x) && !end.finished);
}

/* ---- in this process, for debuggers ---- */

static void see_here(void *context, uint64_t program, const char *text, size_t length)
{
    struct stressing *x = context;
    judge_see(&x->judge, program, text, length);
    if (!wants_more(x))
        atomic_store(&x->runner.run->stop, true);
}

static void replay(struct stressing *x)
{
    x->replayed = client_file_program(x->settings->replay, &x->words, &x->mem, x->error);
    x->runner.only = &x->replayed;
    x->runner.history = see_here;
    x->runner.context = x;
    x->runner.error = x->error;
    if (!runner_run(&x->runner))
        escape_raise(ESCAPE_ERROR);
}

/* ---- the first violation ---- */

struct shrinking_there {
    struct stressing *x;
    const struct outlet *to;
};

/* The program in thread columns, a NUL, the history. */
static void send_smaller(void *context, const struct client *p, const char *text, size_t length)
{
    const struct shrinking_there *o = context;
    struct mem mem = {0};
    struct text both = text_in(&mem);
    client_show(p, &o->x->words, &both);
    text_char(&both, 0);
    text_add(&both, text, length);
    outlet_send(o->to, (struct parcel){PARCEL_SMALLER, client_size(p), both.n}, both.at);
    mem_release(&mem);
}

static void shrink(void *arg)
{
    struct shrinking_there *s = arg;
    struct stressing *x = s->x;
    x->runner.error = NULL;
    struct client p = runner_program(&x->runner, x->judge.found.program, &x->mem);
    shrink_program(x->settings, runner_workers(&x->runner), p, &x->runner.run->stop, send_smaller, s, &x->mem);
}

/* A lack of memory or threads ends it early: the smaller programs so far have been sent. */
static void shrink_there(void *context, const struct outlet *to)
{
    struct shrinking_there s = {context, to};
    escape_run(shrink, &s);
}

/* The finding becomes that of the smaller program, if this process agrees. */
static void receive_smaller(void *context, struct parcel head, const char *bytes)
{
    struct stressing *x = context;
    const char *end = memchr(bytes, 0, (size_t)head.length);
    if (head.kind != PARCEL_SMALLER || !end)
        return;
    struct judge second = {
        .settings = &(struct stress_settings){.model = x->settings->model, .check = x->settings->check}};
    judge_see(&second, x->judge.found.program, end + 1, (size_t)(bytes + head.length - end - 1));
    char *program = second.found.text ? strdup(bytes) : NULL;
    if (!program) {
        free(second.found.text);
        return;
    }
    free(x->judge.found.text);
    x->judge.found.text = second.found.text;
    x->judge.found.length = second.found.length;
    free(x->out->program);
    x->out->program = program;
    x->out->calls = (unsigned)head.number;
}

static bool wants_smaller(void *context)
{
    struct stressing *x = context;
    return !stress_stopped(x->settings);
}

static void show_program(struct stressing *x)
{
    struct text text = text_in(&x->mem);
    struct client p = runner_program(&x->runner, x->judge.found.program, &x->mem);
    client_show(&p, &x->words, &text);
    if (!(x->out->program = strdup(text_get(&text))))
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    x->out->calls = client_size(&p);
}

/* The finding as a history, and the smallest part found that still violates the model, with its result. */
static void conclude(struct stressing *x)
{
    const struct stress_settings *s = x->settings;
    struct stress_outcome *o = x->out;
    o->result = judge_check(s, x->judge.found.text, x->judge.found.length, &o->whole, x->error);
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
    o->history = assay_shrink(o->result, &s->check, NULL, x->error);
    assay_result_free(o->result);
    o->result = o->history ? assay_check(o->history, s->model, &s->check, x->error) : NULL;
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
}

static void shrink_and_show(struct stressing *x)
{
    double began = budget_now();
    x->out->found_after = x->judge.found.at - x->runner.started;
    x->out->found_in = x->judge.found.program;
    show_program(x);
    if (!x->settings->replay) {
        struct isolated_work work = {.run = x->runner.run,
                                     .hang = x->settings->hang,
                                     .work = shrink_there,
                                     .receive = receive_smaller,
                                     .wants_more = wants_smaller,
                                     .context = x};
        isolate(&work);
    }
    conclude(x);
    x->out->shrunk_in = budget_now() - began;
}

/* ---- the whole ---- */

static void count(struct stressing *x)
{
    struct stress_outcome *o = x->out;
    const struct shared_run *run = x->runner.run;
    o->programs = x->runner.programs;
    o->runs = x->runner.runs;
    o->distinct = x->judge.distinct;
    o->violations = x->judge.violations;
    o->undecided = x->judge.undecided;
    for (unsigned t = 0; t < x->settings->threads; t++) {
        o->calls_made += atomic_load(&run->threads[t].calls);
        o->calls_failed += atomic_load(&run->threads[t].failed);
    }
    o->seconds = budget_now() - x->runner.started;
    o->interrupted = stress_stopped(x->settings);
}

static void run_all(void *arg)
{
    struct stressing *x = arg;
    const struct stress_settings *s = x->settings;
    vocabulary_init(&x->words, s->adapter, s->check.spec, s->mix, s->values, &x->mem, x->error);
    x->judge.settings = s;
    x->runner = (struct runner){.settings = s, .words = &x->words, .started = budget_now()};
    x->runner.run = shared_run_new();
    x->runner.recorder = assay_record_open_shared(s->threads, ASSAY_RECORD_COUNTERS, workers_room(s->invocations));
    if (!x->runner.run || !x->runner.recorder)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    (s->replay ? replay : run_programs)(x);
    count(x);
    if (x->judge.error.code != ASSAY_OK) {
        error_copy(x->error, &x->judge.error);
        escape_raise(ESCAPE_ERROR);
    }
    if (x->judge.found.text && !x->judge.lost)
        shrink_and_show(x);
}

bool stress_run(const struct stress_settings *s, struct stress_outcome *out, assay_error *e)
{
    assay_error ignored = {0};
    struct stressing x = {.settings = s, .out = out, .error = e ? e : &ignored};
    *out = (struct stress_outcome){.mem = calloc(1, sizeof *out->mem)};
    enum escape way = out->mem ? escape_run(run_all, &x) : ESCAPE_OUT_OF_MEMORY;
    assay_record_close(x.runner.recorder);
    shared_run_free(x.runner.run);
    mem_release(&x.mem);
    free(x.judge.found.text);
    if (way != ESCAPE_NONE)
        error_from_escape(x.error, way);
    return way == ESCAPE_NONE && !x.judge.lost;
}

void stress_free(struct stress_outcome *out)
{
    assay_result_free(out->result);
    assay_history_free(out->history);
    assay_history_free(out->whole);
    assay_history_free(out->casualty.history);
    free(out->program);
    if (out->mem)
        mem_release(out->mem);
    free(out->mem);
    *out = (struct stress_outcome){0};
}
