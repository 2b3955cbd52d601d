/* SPDX-License-Identifier: Apache-2.0 */
/* Engine `dependencies`: read committed, read atomic and transactional causal consistency, in polynomial time
 * (dependencies.h). A witness is the order in which the dependencies were sorted. */
#include "transaction/dependencies.h"
#include "transaction/repeated_values.h"

static bool holds(struct dependencies *d, unsigned conditions)
{
    if (conditions & COND_RC)
        force_rc(d);
    if (conditions & COND_RA)
        force_ra(d);
    if ((conditions & COND_TCC) && !force_tcc(d))
        return false;
    return d->impossible == ID_NONE && d->two_sources == ID_NONE && dependencies_sort(d);
}

static void give_witness(const struct dependencies *d, const struct job *job)
{
    struct evidence *ev = &job->out->evidence;
    ev->witness = true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < d->placed; i++)
        evidence_place(ev, d->v->op[d->order[i]]);
}

static void judge(struct job *job)
{
    struct dependencies d;
    if (txn_view_refutes(job->txns, job->out))
        return;
    dependencies_init(&d, job);
    if (!holds(&d, job->model->conditions)) {
        job->out->verdict = ASSAY_VIOLATION;
        dependencies_explain(&d, job);
        return;
    }
    job->out->verdict = ASSAY_CONSISTENT;
    if (job->witness)
        give_witness(&d, job);
}

static void run(struct job *job)
{
    txn_sourced_run(job, judge);
}

const struct engine engine_dependencies = {
    .name = "dependencies",
    .title = "weak levels of transactions: the orders that they force have no cycle",
    .conditions = COND_RC | COND_RA | COND_TCC,
    .needs = NEED_TRANSACTIONS,
    .lifts = NEED_UNIQUE_VALUES,
    .run = run,
};
