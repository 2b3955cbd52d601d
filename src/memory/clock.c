/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `clock`: causal models in near-linear time, by chain clocks.
 *
 * It only puts the parts together. src/memory/causal.h has the algorithms for causal consistency and convergence,
 * src/memory/observe.h that for causal memory, with the correctness arguments. explain.h turns their results into
 * evidence.
 * Cost: O(n*k) for n operations of k threads; causal memory adds the number of sources that are active at once, in
 * practice small. */
#include "memory/explain.h"

static bool causal_fine(struct job *job, struct causal *c)
{
    if (!causal_build(c, job->rw, job->mem, job->budget, &job->out->stats)) {
        explain_cyclic_co(job, c);
        return false;
    }
    uint32_t source, later;
    if (!causal_demands(c, job->budget, &source, &later)) {
        explain_write_co_read(job, c, source, later);
        return false;
    }
    return true;
}

static bool convergent_fine(struct job *job, struct causal *c)
{
    struct advance sort = {0};
    uint32_t count;
    uint32_t *order = job->witness ? mem_new(job->mem, uint32_t, job->rw->n) : NULL;
    if (!causal_converges(c, &sort, job->budget, order, &count)) {
        explain_cyclic_cf(job, c, &sort);
        return false;
    }
    if (order)
        explain_order(job, ASSAY_NO_THREAD, order, count);
    return true;
}

static bool each_thread_fine(struct job *job, struct causal *c)
{
    struct observe o;
    uint32_t *order = job->witness ? mem_new(job->mem, uint32_t, job->rw->n) : NULL;
    observe_init(&o, c, job->mem, job->budget, &job->out->stats);
    for (uint32_t t = 0; t < job->rw->k; t++) {
        uint32_t read, later;
        enum observation found = observe_thread(&o, t, order, &read, &later);
        if (explain_observation(job, &o, found, read, later))
            return false;
        if (order && o.placed)
            explain_order(job, t, order, o.placed);
    }
    return true;
}

static void run_clock(struct job *job)
{
    unsigned conditions = job->model->conditions;
    struct causal c;
    job->out->verdict = ASSAY_CONSISTENT;
    if (job->rw->thin != ID_NONE) {
        explain_thin_air(job);
        return;
    }
    if (!causal_fine(job, &c))
        return;
    if ((conditions & COND_CONVERGENT) && !convergent_fine(job, &c))
        return;
    if ((conditions & COND_PER_THREAD) && !each_thread_fine(job, &c))
        return;
    if (conditions == COND_CAUSAL && job->witness)
        explain_order(job, ASSAY_NO_THREAD, c.order, c.placed);
    job->out->evidence.witness = job->witness;
}

const struct engine engine_clock = {
    .name = "clock",
    .title = "chain clocks, near-linear",
    .conditions = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .run = run_clock,
};
