/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/stress.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/hash.h"
#include "collect/stress/judge.h"
#include "collect/stress/shrink.h"
#include "collect/stress/watchdog.h"
#include "collect/stress/workers.h"

#include <stdlib.h>

struct stressing {
    const struct stress_settings *settings;
    struct stress_outcome *out;
    assay_error *error;
    struct mem mem;     /* of the vocabulary, and for shrinking */
    struct mem current; /* of one program */
    struct vocabulary words;
    struct judge *judge;
    struct workers *workers;
    struct watchdog *watchdog;
    double started;
};

_Noreturn static void give_up(struct stressing *x, const char *why)
{
    error_set(x->error, ASSAY_ERROR_RESOURCE, "%s: %s", x->settings->adapter->name, why);
    escape_raise(ESCAPE_ERROR);
}

/* ---- running ---- */

static bool interrupted(const struct stressing *x)
{
    return stress_stopped(x->settings);
}

static bool goes_on(struct stressing *x)
{
    const struct stress_settings *s = x->settings;
    if ((s->runs && x->out->runs >= s->runs) || interrupted(x) || !judge_wants_more(x->judge))
        return false;
    return !s->seconds || budget_now() - x->started < s->seconds;
}

static struct client nth_program(struct stressing *x, uint64_t number, struct mem *mem)
{
    const struct stress_settings *s = x->settings;
    return client_random(&x->words, s->threads, s->invocations, hash_join(s->seed, number), mem);
}

static void run_program(struct stressing *x, const struct client *p, uint64_t number)
{
    const struct stress_settings *s = x->settings;
    judge_program(x->judge, number);
    for (unsigned i = 0; i < s->repeats && goes_on(x); i++) {
        if (!workers_run(x->workers, p, hash_join(hash_join(s->seed, number), i + 1)))
            give_up(x, "an object could not be made");
        judge_see(x->judge, workers_recorder(x->workers));
        if (++x->out->runs % 256 == 0 && s->progress)
            s->progress(s->context, x->out->runs);
    }
}

static void run_programs(void *arg)
{
    struct stressing *x = arg;
    const struct stress_settings *s = x->settings;
    vocabulary_init(&x->words, s->adapter, s->check.spec, s->mix, s->values, &x->mem, x->error);
    x->started = budget_now();
    /* The judge first: its thread must not be pinned. */
    struct workers_settings workers = {.threads = s->threads, .calls = s->invocations, .pin = s->pin};
    if (!(x->judge = judge_start(s)) || !(x->workers = workers_start(&x->words, &workers)))
        give_up(x, "its threads could not be started");
    x->watchdog = watchdog_start(x->workers, s);
    while (goes_on(x)) {
        uint64_t number = ++x->out->programs;
        struct client p = nth_program(x, number, &x->current);
        run_program(x, &p, number);
        mem_release(&x->current);
    }
}

/* ---- the first violation ---- */

/* The finding as a history, and the smallest part of it that violates the model, with its result. */
static void conclude(struct stressing *x, const struct finding *found)
{
    const struct stress_settings *s = x->settings;
    struct stress_outcome *o = x->out;
    o->result = judge_check(s, found->text, found->length, &o->whole, x->error);
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
    o->history = assay_shrink(o->result, &s->check, NULL, x->error);
    assay_result_free(o->result);
    o->result = o->history ? assay_check(o->history, s->model, &s->check, x->error) : NULL;
    if (!o->result)
        escape_raise(ESCAPE_ERROR);
}

struct showing {
    struct stressing *x;
    struct finding *found;
};

static void shrink_and_show(void *arg)
{
    struct showing *show = arg;
    struct stressing *x = show->x;
    double began = budget_now();
    struct client p = nth_program(x, show->found->program, &x->mem);
    p = shrink_program(x->settings, x->workers, p, show->found, &x->mem);
    struct text text = text_in(x->out->mem);
    client_show(&p, &x->words, &text);
    x->out->program = text.at;
    x->out->calls = client_size(&p);
    conclude(x, show->found);
    x->out->shrunk_in = budget_now() - began;
}

/* ---- the whole ---- */

bool stress_run(const struct stress_settings *s, struct stress_outcome *out, assay_error *e)
{
    struct stressing x = {.settings = s, .out = out, .error = e};
    struct finding found = {0};
    *out = (struct stress_outcome){.mem = calloc(1, sizeof *out->mem)};
    if (!out->mem) {
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return false;
    }
    enum escape way = escape_run(run_programs, &x);
    bool fine = !x.judge || judge_end(x.judge, out, &found, e);
    out->seconds = x.started > 0 ? budget_now() - x.started : 0;
    out->interrupted = interrupted(&x);
    if (way == ESCAPE_NONE && fine && found.text) {
        out->found_after = found.at - x.started;
        out->found_in = found.program;
        struct showing show = {&x, &found};
        way = escape_run(shrink_and_show, &show);
    }
    watchdog_end(x.watchdog);
    workers_end(x.workers);
    mem_release(&x.mem);
    mem_release(&x.current);
    free(found.text);
    if (way != ESCAPE_NONE)
        error_from_escape(e, way);
    return way == ESCAPE_NONE && fine;
}

void stress_free(struct stress_outcome *out)
{
    assay_result_free(out->result);
    assay_history_free(out->history);
    assay_history_free(out->whole);
    if (out->mem)
        mem_release(out->mem);
    free(out->mem);
    *out = (struct stress_outcome){0};
}
