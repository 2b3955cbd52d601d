/* SPDX-License-Identifier: Apache-2.0 */
/* The processes and their order. One runs the programs; after a casualty another one may go on. A last one shrinks the
 * first violation (first_violation.c). The verdicts are those of this process, whose memory the implementation does not
 * reach. */
#include "collect/stress/stressing.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/hash.h"
#include "collect/stress/casualty.h"
#include "collect/stress/client_file.h"
#include "collect/stress/leftovers.h"
#include "collect/stress/record_log.h"
#include "collect/stress/wait.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Threads that the implementation has left, if there are about as many as runs, or more: a library may have one. */
static void note_left_threads(const struct stressing *x, uint64_t runs)
{
    uint64_t n = leftovers_threads();
    if (n > 1 && 2 * n >= runs)
        atomic_store(&x->runner.run->left_threads, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX);
}

static void run_there(void *context, const struct outlet *to)
{
    struct stressing *x = context;
    assay_error e = {0};
    uint64_t before = x->runner.runs;
    struct outlet outlet = *to;
    x->runner.begins = send_program;
    x->runner.history = send_history;
    x->runner.context = &outlet;
    x->runner.error = &e;
    if (!runner_run(&x->runner))
        send_error(to, &e);
    note_left_threads(x, x->runner.runs - before);
    if (leftovers_memory()) {
        outlet_send(to, (struct parcel){PARCEL_LAST, 0, 0}, "");
        _exit(LEFTOVERS_STATUS);
    }
}

char *stressing_program(struct stressing *x, const struct client *p, uint64_t seed)
{
    struct text file = text_in(&x->mem);
    client_file_write(&file, p, &x->words, seed);
    char *copy = strdup(text_get(&file));
    if (!copy)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    return copy;
}

struct keeping {
    struct stressing *x;
    uint64_t program;
};

static void keep_program(void *arg)
{
    const struct keeping *k = arg;
    struct stressing *x = k->x;
    const struct stress_settings *s = x->settings;
    struct client p = runner_program(&x->runner, k->program, &x->mem);
    char *file = stressing_program(x, &p, runner_seed(&x->runner, k->program, 0));
    x->judge.lost = !s->keep_program(s->context, k->program, file);
    free(file);
}

/* A violation keeps its program, too, but only once. */
static void see_history(struct stressing *x, uint64_t program, const char *text, size_t length)
{
    uint64_t before = x->judge.last_violation;
    judge_see(&x->judge, program, text, length);
    if (!x->settings->keep_program || x->judge.last_violation == before || x->judge.lost)
        return;
    struct keeping k = {x, program};
    error_from_escape(&x->judge.error, escape_run(keep_program, &k));
}

struct taken_history {
    struct stressing *x;
    const char *text;
    size_t length;
    bool is_new;
};

static void add_history(void *arg)
{
    struct taken_history *s = arg;
    s->is_new = true; /* also if there is no memory */
    s->is_new = rows_add(&s->x->known.all, &s->x->known.mem, s->text, s->length);
}

static void take_history(struct stressing *x, uint64_t program, const char *text, size_t length)
{
    struct taken_history s = {x, text, length, true};
    if (wait_is_possible(&x->words)) {
        if (x->known.program != program)
            rows_clear(&x->known.all);
        x->known.program = program;
        escape_run(add_history, &s);
    }
    if (s.is_new)
        see_history(x, program, text, length);
}

static void receive_history(void *context, struct parcel head, const char *bytes)
{
    struct stressing *x = context;
    if (head.kind == PARCEL_PROGRAM && head.length == sizeof x->runner.runs) {
        memcpy(&x->runner.runs, bytes, sizeof x->runner.runs);
        if (head.number != x->runner.programs) {
            x->began = x->runner.runs;
            x->waits = 0;
        }
        x->runner.programs = head.number;
    } else if (head.kind == PARCEL_HISTORY)
        take_history(x, head.number, bytes, (size_t)head.length);
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
    return atomic_load(&t->failed) <= made &&
           made / workers_room(vocabulary_calls(&x->words, x->settings->invocations)) <= x->runner.runs;
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

/* ---- runs that do not go on ---- */

static bool violates(const struct stressing *x)
{
    assay_history *h = NULL;
    assay_result *r = x->waited ? judge_check(x->settings, x->waited, x->length, &h, NULL) : NULL;
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    assay_history_free(h);
    return yes;
}

/* A violation needs no limit, either: calls that have returned, and pending ones, prove it. */
static void judge_wait(struct stressing *x, const assay_recorder *r)
{
    enum wait_verdict verdict = wait_judge(&x->words, x->settings, r, &x->who, &x->look);
    if (verdict == WAIT_NONE)
        return;
    x->waited = judge_text(x->settings->adapter, r, &x->length);
    if (verdict == WAIT_RIGHT || violates(x))
        return;
    free(x->waited);
    x->waited = NULL;
}

static void look_at_wait(void *arg)
{
    struct stressing *x = arg;
    struct record_log log = {0};
    size_t size;
    char *bytes = record_log_copy(x->runner.recorder, &size);
    x->who = NULL;
    mem_release(&x->look);
    if (bytes && record_log_read(&log, bytes, size))
        judge_wait(x, &log.recorder);
    record_log_release(&log);
    free(bytes);
}

/* What --waits should say of the run that hangs, in memory of the outcome; or NULL. */
static void look_for_remedy(void *arg)
{
    struct stressing *x = arg;
    struct record_log log = {0};
    size_t size;
    char *bytes = record_log_copy(x->runner.recorder, &size);
    mem_release(&x->look);
    const char *remedy = bytes && record_log_read(&log, bytes, size)
                             ? wait_remedy(&x->words, x->settings, &log.recorder, &x->look)
                             : NULL;
    x->out->casualty.waits = remedy ? mem_text(x->out->mem, remedy, strlen(remedy)) : NULL;
    record_log_release(&log);
    free(bytes);
}

bool stressing_waits(void *context)
{
    struct stressing *x = context;
    return escape_run(look_at_wait, x) == ESCAPE_NONE && x->waited;
}

/* The next process goes on with the next run of the program. But such a run costs a process, so a program that often
 * ends so makes room for others. */
static void take_wait(struct stressing *x)
{
    enum { ENOUGH = 5 };
    x->out->waits++;
    take_history(x, x->runner.programs, x->waited, x->length);
    free(x->waited);
    x->waited = NULL;
    x->runner.resume = ++x->waits < ENOUGH ? (unsigned)(x->runner.runs - x->began) : 0;
}

static void take_casualty(struct stressing *x, struct process_end end, bool sound)
{
    const char *who = end.kind == PROCESS_HUNG ? x->who : NULL;
    x->out->casualty = casualty_of(&x->runner, end, sound, who, x->out->mem);
    if (end.kind == PROCESS_HUNG && !who && sound)
        escape_run(look_for_remedy, x);
}

/* Until no more is wanted; after a casualty the next process begins with the next program. */
static void run_programs(struct stressing *x)
{
    struct isolated_work work = {.run = x->runner.run,
                                 .hang = x->settings->hang,
                                 .work = run_there,
                                 .receive = receive_history,
                                 .wants_more = wants_more,
                                 .waits = wait_is_possible(&x->words) ? stressing_waits : NULL,
                                 .context = x};
    struct process_end end;
    do {
        *x->runner.run->broken = 0;
        record_log_wipe(x->runner.recorder);
        end = isolate(&work);
        if (end.kind == PROCESS_NONE)
            give_up(x, "a process could not be made for it");
        bool sound = take_counts(x);
        if (!sound && end.kind == PROCESS_FINISHED)
            end.kind = PROCESS_MEDDLED;
        if (end.kind == PROCESS_FINISHED && *x->runner.run->broken)
            end.kind = PROCESS_BROKE;
        if (end.kind == PROCESS_MEDDLED) /* an error in the record comes from that */
            x->judge.error = (assay_error){0};
        x->runner.resume = 0;
        if (end.kind == PROCESS_WAITED)
            take_wait(x);
        if (casualty_is(end) && !x->out->casualties++)
            take_casualty(x, end, sound);
    } while ((end.kind == PROCESS_WAITED || (casualty_is(end) && x->settings->keep_going)) && wants_more(x) &&
             (!end.finished || end.kind == PROCESS_BROKE));
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
    if (!x->runner.broken)
        return;
    x->out->casualties++;
    x->out->casualty = casualty_of(&x->runner, (struct process_end){.kind = PROCESS_BROKE}, true, NULL, x->out->mem);
}

/* ---- the whole ---- */

/* Of those that the mix names; NULL: none. */
static const char *never_called(const struct stressing *x)
{
    const struct vocabulary *v = &x->words;
    struct text out = text_in(x->out->mem);
    for (uint32_t i = 0; i < v->n; i++) {
        uint64_t made = 0;
        for (unsigned t = 0; t < x->settings->threads; t++)
            made += atomic_load(&x->runner.run->threads[t].made[i]);
        if (!made && v->weights[i])
            text_printf(&out, "%s%s", out.n ? ", " : "", v->methods[i]->name);
    }
    return out.n ? text_get(&out) : NULL;
}

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
        o->points += atomic_load(&run->threads[t].points);
    }
    o->overlapping = atomic_load(&run->overlapping);
    o->left_threads = atomic_load(&run->left_threads);
    o->never = never_called(x);
    o->seconds = budget_now() - x->runner.started;
    o->interrupted = stress_stopped(x->settings);
}

/* The adapter as the settings change it. */
static const assay_adapter *read_adapter(struct stressing *x)
{
    const struct stress_settings *s = &x->own;
    x->adapter = *s->adapter;
    if (s->initial && !x->adapter.initial) {
        error_set(x->error, ASSAY_ERROR_USAGE, "%s: its initial content cannot be chosen", s->adapter->name);
        error_remedy(x->error, "leave out --init, or give the adapter the field `initial`");
        escape_raise(ESCAPE_ERROR);
    }
    if (s->initial)
        x->adapter.initial = s->initial;
    return &x->adapter;
}

static void refuse_idle_threads(const struct stressing *x)
{
    uint32_t idle = vocabulary_idle(&x->words, x->own.threads);
    if (x->own.replay || idle == x->own.threads)
        return;
    error_set(x->error, ASSAY_ERROR_USAGE, "%s: t%u has no method to call", x->own.adapter->name, (unsigned)idle);
    error_remedy(x->error, "--threads says how many threads there are, --mix and --roles what they call");
    escape_raise(ESCAPE_ERROR);
}

static void read_words(struct stressing *x)
{
    struct stress_settings *s = &x->own;
    s->adapter = read_adapter(x);
    vocabulary_init(&x->words, s->adapter, s->check.spec, s->mix, s->values, &x->mem, x->error);
    if (s->waits)
        vocabulary_read_waits(&x->words, "--waits", s->waits, &x->mem, x->error);
    if (s->roles)
        vocabulary_read_roles(&x->words, "--roles", s->roles, x->error);
    if (s->before)
        x->words.before = vocabulary_read_sequel(&x->words, "--before", s->before, &x->mem, x->error);
    if (s->after)
        x->words.after = vocabulary_read_sequel(&x->words, "--after", s->after, &x->mem, x->error);
    refuse_idle_threads(x);
    const char *left_out = x->words.left_out;
    x->out->left_out = left_out ? mem_text(x->out->mem, left_out, strlen(left_out)) : NULL;
    s->words = &x->words;
    s->blocking = vocabulary_waits(&x->words) ? wait_spec(&x->words, &x->mem) : NULL;
}

static void run_all(void *arg)
{
    struct stressing *x = arg;
    const struct stress_settings *s = &x->own;
    read_words(x);
    x->judge.settings = s;
    x->runner = (struct runner){.settings = s, .words = &x->words, .started = budget_now()};
    x->runner.run = shared_run_new();
    uint32_t calls = vocabulary_calls(&x->words, s->invocations);
    x->runner.recorder = assay_record_open_wide("", s->threads, ASSAY_RECORD_COUNTERS, workers_room(calls),
                                                workers_numbers(calls));
    if (!x->runner.run || !x->runner.recorder)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    (s->replay ? replay : run_programs)(x);
    count(x);
    if (x->judge.error.code != ASSAY_OK) {
        error_copy(x->error, &x->judge.error);
        escape_raise(ESCAPE_ERROR);
    }
    if (x->judge.found.text && !x->judge.lost)
        first_violation_take(x);
}

bool stress_run(const struct stress_settings *s, struct stress_outcome *out, assay_error *e)
{
    assay_error ignored = {0};
    struct stressing x = {.own = *s, .settings = &x.own, .out = out, .error = e ? e : &ignored};
    *out = (struct stress_outcome){.mem = calloc(1, sizeof *out->mem)};
    enum escape way = out->mem ? escape_run(run_all, &x) : ESCAPE_OUT_OF_MEMORY;
    assay_record_close(x.runner.recorder);
    shared_run_free(x.runner.run);
    mem_release(&x.mem);
    mem_release(&x.known.mem);
    mem_release(&x.look);
    free(x.judge.found.text);
    free(x.waited);
    if (way != ESCAPE_NONE)
        error_from_escape(x.error, way);
    return way == ESCAPE_NONE && !x.judge.lost;
}

void stress_free(struct stress_outcome *out)
{
    assay_result_free(out->result);
    assay_history_free(out->history);
    assay_history_free(out->whole);
    assay_history_free(out->found_whole);
    free(out->found_file);
    assay_history_free(out->casualty.history);
    free(out->program);
    free(out->file);
    if (out->mem)
        mem_release(out->mem);
    free(out->mem);
    *out = (struct stress_outcome){0};
}
