/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `sat`: the store order from a SAT solver, with nothing known beforehand (lazy.h).
 * Where values are not unique the solver also chooses the sources of the reads, for the causal
 * models, too (sourced.h). */
#include "engine/lazy.h"
#include "engine/sourced.h"

enum {
    STORE_ORDERS = COND_SC | COND_TSO | COND_PSO,
    CAUSAL = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD
};

static enum memory memory_of(const struct job *job)
{
    unsigned conditions = job->model->conditions;
    return conditions == COND_SC ? MEMORY_SC : conditions == COND_TSO ? MEMORY_TSO : MEMORY_PSO;
}

/* The guess: causes first, or the recorded order if some operation is its own cause. */
static const uint32_t *guess(struct job *job)
{
    struct causal c;
    if (causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats))
        return c.position;
    return job->rw->op;
}

static bool nothing_stored(const void *arg, uint32_t v, uint32_t w)
{
    (void)arg;
    (void)v;
    (void)w;
    return false;
}

static const struct candidates *find_candidates(struct job *job)
{
    const struct candidates *c = candidates_of(job->h, job->rw, job->mem);
    if (c->pending == ID_NONE)
        return c;
    history_fault(job->h, c->pending, job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "%s does not apply: whether this pending operation took effect is open, for its "
                  "value is read or declared to be the last, and others write it, too",
                  job->model->name);
    escape_raise(ESCAPE_ERROR);
}

static void run_ambiguous(struct job *job)
{
    if (job->rw->thin != ID_NONE) {
        explain_thin_air(job);
        return;
    }
    const struct candidates *c = find_candidates(job);
    if (job->model->conditions & CAUSAL) {
        sourced_run(job, c);
        return;
    }
    struct lazy l = {
        .job = job, .rank = job->rw->op, .fixed = {nothing_stored, NULL}, .candidates = c};
    lazy_run(&l, memory_of(job));
}

static void run_sat(struct job *job)
{
    if (job->rw->twice[1] != ID_NONE || (job->model->conditions & CAUSAL)) {
        run_ambiguous(job);
        return;
    }
    if (serial_thin_air(job))
        return;
    struct lazy l = {.job = job, .rank = guess(job), .fixed = {known_final, job->rw}};
    lazy_run(&l, memory_of(job));
}

const struct engine engine_sat = {
    .name = "sat",
    .title = "store orders, and sources of reads, from a SAT solver",
    .conditions = STORE_ORDERS | CAUSAL,
    .lifts = NEED_UNIQUE_VALUES,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_sat,
};
