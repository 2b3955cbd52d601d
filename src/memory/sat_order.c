/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `sat`: the store order from a SAT solver, with nothing known beforehand (lazy.h).
 * Where values are not unique the solver also chooses the sources of the reads, for the causal
 * models, too, or these alone (repeated.h). */
#include "memory/lazy.h"
#include "memory/repeated.h"

enum { CAUSAL = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD };

/* The guess: causes first, or the recorded order if some operation is its own cause. */
static const uint32_t *guess(struct job *job)
{
    struct causal c;
    if (causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats))
        return causal_positions(&c);
    return job->rw->op;
}

static void run_sat(struct job *job)
{
    if (serial_thin_air(job))
        return;
    if (job->rw->twice[1] != ID_NONE || (job->model->conditions & CAUSAL)) {
        repeated_solve(job);
        return;
    }
    struct lazy l = {.job = job, .rank = guess(job), .fixed = {known_final, job->rw}};
    lazy_run(&l);
}

const struct engine engine_sat = {
    .name = "sat",
    .title = "store orders, and sources of reads, from a SAT solver",
    .conditions = COND_TOTAL | CAUSAL,
    .apart = COND_PER_THREAD,
    .lifts = NEED_UNIQUE_VALUES,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_sat,
};
