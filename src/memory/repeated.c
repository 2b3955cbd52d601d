/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/repeated.h"

#include "memory/judging.h"
#include "memory/lazy.h"
#include "memory/replay.h"
#include "memory/source_cases.h"
#include "memory/sourced.h"

enum {
    FEW_CELLS = 1 << 20,   /* of the states of a search for an execution of a stronger model */
    SOME_CELLS = 1 << 22,  /* of a search for the model's own, if there is a solver */
    MOST_CELLS = 1 << 25,  /* if there is none */
    MOST_CHOICES = 1 << 22 /* of sources, for the solver */
};

/* ---- an execution ---- */

static void accept(struct job *job, const struct replay *r)
{
    const struct rw *v = job->rw;
    struct job decided = *job;
    struct rw view;
    uint32_t *src = mem_new_ids(job->mem, v->n);
    bool *happened = mem_new_zero(job->mem, bool, v->n);
    replay_sources(r, src, happened);
    rw_decided(v, happened, src, &view, job->mem);
    decided.rw = &view;
    decided.variant = NULL;
    if (job->model->conditions & COND_TOTAL)
        serial_consistent(&decided, r->order, r->executed);
    else
        judging_engine(job)->run(&decided);
    if (job->witness)
        explain_sources(&decided, v, src);
}

static void refute(struct job *job)
{
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.pattern = PATTERN_NoSources;
}

/* True: decided. */
static bool search(struct job *job, const struct accesses *a, enum buffering memory, size_t most_cells)
{
    struct replay r;
    replay_init(&r, job->rw, a, memory, job->mem, job->budget);
    if (memory == MEMORY_SC)
        job_tries(job, "the recorded order");
    bool recorded = memory == MEMORY_SC && replay_recorded(&r), own = serial_memory(job) == memory;
    job_tries(job, "a search for an execution");
    enum replay_end end = recorded ? REPLAY_FOUND : replay_search(&r, most_cells);
    job->out->stats.choices += r.seen.ends.n;
    job->out->stats.steps += r.executed;
    if (end == REPLAY_FOUND)
        accept(job, &r);
    if (end == REPLAY_NONE && own && (job->model->conditions & COND_TOTAL))
        refute(job);
    bool decided = end == REPLAY_FOUND || (end == REPLAY_NONE && own && (job->model->conditions & COND_TOTAL));
    rows_free(&r.seen, job->mem);
    return decided;
}

/* Is the search for it? Buffers with an order between threads are left to the solver, and so are open operations with
 * one, which other threads may come after. */
static bool searchable(const struct rw *v, enum buffering memory)
{
    return !v->across || (memory == MEMORY_SC && !v->open);
}

/* ---- the solver ---- */

static bool nothing_stored(const void *arg, uint32_t v, uint32_t w)
{
    (void)arg;
    (void)v;
    (void)w;
    return false;
}

static uint64_t count_choices(const struct rw *v, const struct accesses *a, struct mem *m)
{
    uint32_t *writers = mem_new_zero(m, uint32_t, a->count);
    uint64_t choices = 0;
    for (uint32_t e = 0; e < v->n; e++)
        if (v->kind[e] & RW_WRITES)
            writers[a->written[e]]++;
    for (uint32_t e = 0; e < v->n; e++)
        choices += v->kind[e] & RW_READS ? writers[a->read[e]] : 0;
    mem_free(m, writers);
    return choices;
}

/* Why the solver is no help, or NULL. */
static const char *unsolvable(struct job *job, const struct accesses *a)
{
    if (sat_missing())
        return sat_missing();
    if (count_choices(job->rw, a, job->mem) > MOST_CHOICES)
        return "too many operations write the values that are read";
    if (job->rw->final && !lazy_fits(job->rw))
        return "too many pairs of writes have no order";
    return NULL;
}

static void solve(struct job *job)
{
    job_tries(job, "a SAT solver");
    const struct candidates *c = candidates_of(job->h, job->rw, job->mem);
    if (!(job->model->conditions & COND_TOTAL) || (!lazy_fits(job->rw) && !job->rw->final)) {
        sourced_run(job, c);
        return;
    }
    struct lazy l = {.job = job, .rank = job->rw->op, .fixed = {nothing_stored, NULL}, .candidates = c};
    lazy_run(&l);
}

/* A refutation so far names no operation. */
static void blame(struct job *job)
{
    if (job->out->verdict == ASSAY_VIOLATION && job->out->evidence.pattern == PATTERN_NoSources)
        source_cases(job);
}

void repeated_solve(struct job *job)
{
    struct accesses a = accesses_of(job->h, job->rw, job->rw->final, job->mem);
    const char *why = unsolvable(job, &a);
    if (why) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "values repeat, and a SAT solver cannot choose the sources: %s", why);
        error_remedy(job->error, "%srecord each write of a variable with a value of its own",
                     job->asked ? "leave the choice of the engine to assay, or " : "");
        escape_raise(ESCAPE_ERROR);
    }
    accesses_free(&a, job->mem);
    solve(job);
    blame(job);
}

/* ---- the run ---- */

static void give_up(struct job *job, const char *why)
{
    result_undecided(job->out, UNDECIDED_REPEATED,
                     "the recorded order and a search through %llu states were tried, no SAT solver: %s",
                     (unsigned long long)job->out->stats.choices, why);
}

static void decide(struct job *job)
{
    const struct rw *v = job->rw;
    enum buffering memory = job->model->conditions & COND_TOTAL ? serial_memory(job) : MEMORY_SC;
    struct accesses a = accesses_of(job->h, v, v->final, job->mem);
    const char *why = unsolvable(job, &a);
    size_t cells = why ? MOST_CELLS : SOME_CELLS;
    bool sc = job->model->conditions & COND_SC;
    if (searchable(v, MEMORY_SC) && search(job, &a, MEMORY_SC, sc ? cells : FEW_CELLS))
        return;
    if (memory != MEMORY_SC && searchable(v, memory) && search(job, &a, memory, cells))
        return;
    if (why)
        give_up(job, why);
    else
        solve(job);
}

void repeated_run(struct job *job)
{
    if (job->rw->twice[1] == ID_NONE) {
        judging_engine(job)->run(job);
        return;
    }
    if (serial_thin_air(job))
        return;
    decide(job);
    blame(job);
}
