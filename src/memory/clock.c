/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `clock`: causal models in near-linear time, by chain clocks.
 *
 * It only puts the parts together. src/memory/causal.h has the algorithms for causal consistency and convergence,
 * src/memory/observe.h that for causal memory, with the correctness arguments. serial.h asks them, and explain.h turns
 * their results into evidence.
 * Cost: O(n*k) for n operations of k threads; causal memory adds the number of sources that are active at once, in
 * practice small. */
#include "memory/serial.h"

static void run_clock(struct job *job)
{
    unsigned conditions = job->model->conditions;
    struct causal c;
    job->out->verdict = ASSAY_CONSISTENT;
    if (serial_thin_air(job))
        return;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    if (serial_not_causal(job, &c))
        return;
    if ((conditions & COND_CONVERGENT) && serial_not_convergent(job, &c, job->witness))
        return;
    if ((conditions & COND_PER_THREAD) && serial_observed_wrongly(job, &c, 0, job->rw->k, job->witness))
        return;
    if (conditions == COND_CAUSAL && job->witness)
        explain_order(job, ASSAY_NO_THREAD, c.order, c.placed);
    job->out->evidence.witness = job->witness;
}

const struct engine engine_clock = {
    .name = "clock",
    .title = "chain clocks, near-linear",
    .conditions = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD,
    .apart = COND_PER_THREAD, /* a chain of reads forces edges (force.h) */
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .run = run_clock,
};
