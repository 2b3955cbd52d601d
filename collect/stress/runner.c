/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/runner.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>

_Noreturn static void give_up(const struct runner *r, const char *why)
{
    error_set(r->error, ASSAY_ERROR_RESOURCE, "%s: %s", r->settings->adapter->name, why);
    escape_raise(ESCAPE_ERROR);
}

struct client runner_program(const struct runner *r, uint64_t number, struct mem *mem)
{
    const struct stress_settings *s = r->settings;
    if (r->only)
        return *r->only;
    return client_random(r->words, s->threads, s->invocations, hash_join(s->seed, number), mem);
}

struct workers *runner_workers(const struct runner *r)
{
    const struct stress_settings *s = r->settings;
    struct workers_settings settings = {.threads = s->threads,
                                        .calls = vocabulary_calls(r->words, s->invocations),
                                        .pin = s->pin,
                                        .recorder = r->recorder,
                                        .stages = r->run->threads};
    struct workers *workers = workers_start(r->words, &settings);
    if (!workers)
        give_up(r, "its threads could not be started");
    return workers;
}

static bool goes_on(const struct runner *r)
{
    const struct stress_settings *s = r->settings;
    if (r->broken || atomic_load_explicit(&r->run->stop, memory_order_relaxed) || stress_stopped(s))
        return false;
    if (s->runs && r->runs >= s->runs)
        return false;
    return !s->seconds || budget_now() - r->started < s->seconds;
}

static void hand_on(struct runner *r, uint64_t program)
{
    const assay_recorder *recorder = workers_recorder(r->workers);
    size_t length;
    if (!judge_is_new(&r->seen, recorder, &r->mem))
        return;
    char *text = judge_text(r->settings->adapter, recorder, &length);
    if (!text)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    r->history(r->context, program, text, length);
    free(text);
}

/* A program that is run again begins with the seed of the run that it comes from. */
uint64_t runner_seed(const struct runner *r, uint64_t number, unsigned repeat)
{
    const struct stress_settings *s = r->settings;
    bool again = r->only && number == 1 && repeat == 0;
    return again ? s->replay->seed : hash_join(hash_join(s->seed, number), repeat + 1);
}

static void note_invariant(struct runner *r)
{
    const char *broken = workers_broken(r->workers);
    if (!broken)
        return;
    snprintf(r->run->broken, sizeof r->run->broken, "%s", broken);
    r->broken = true;
}

static void run_program(struct runner *r, uint64_t number)
{
    struct client p = runner_program(r, number, &r->mem);
    if (r->begins)
        r->begins(r->context, number, r->runs);
    r->programs = number;
    atomic_store(&r->run->programs, number);
    for (unsigned i = r->resume; i < r->settings->repeats && goes_on(r); i++) {
        uint64_t seed = runner_seed(r, number, i);
        atomic_store(&r->run->seed, seed);
        atomic_store(&r->run->runs, ++r->runs);
        const char *fault = workers_run(r->workers, &p, seed);
        if (fault)
            give_up(r, fault);
        if (judge_overlaps(workers_recorder(r->workers)))
            atomic_fetch_add(&r->run->overlapping, 1);
        hand_on(r, number);
        note_invariant(r);
    }
}

static void run_programs(void *arg)
{
    struct runner *r = arg;
    r->workers = runner_workers(r);
    while (goes_on(r)) {
        run_program(r, r->programs + !r->resume);
        r->resume = 0;
        mem_release(&r->mem);
        r->seen = (struct distinct_runs){0};
    }
}

bool runner_run(struct runner *r)
{
    enum escape way = escape_run(run_programs, r);
    workers_end(r->workers);
    mem_release(&r->mem);
    r->workers = NULL;
    if (way != ESCAPE_NONE)
        error_from_escape(r->error, way);
    return way == ESCAPE_NONE;
}
