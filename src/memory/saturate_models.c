/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `saturate`: the polynomial models between the causal ones and sc or tso.
 *
 * wsc and wtso are the forced order's least relations (src/memory/forced_order.h). The witness is an order per graph
 * and the derived pairs; with the history's own order these are closed under the rules.
 * ccm and wccm unite the observations of all threads (src/memory/ccm.h, wccm.h). Before that, the causal models that
 * they imply are checked, because their refutations are simpler: cc, ccv, and for ccm cm. A consistent history needs no
 * witness: the relations follow from the history. */
#include "memory/explain_ccm.h"
#include "memory/serial.h"

/* A topological order of one graph of a closed forced order: events by how many precede them. */
static void graph_order(struct job *job, const struct forced_order *w, uint32_t graph)
{
    const struct forced_graph *g = &w->graph[graph];
    const struct rw *v = w->v;
    uint32_t *key = mem_new(job->mem, uint32_t, v->n), most = 0;
    for (uint32_t e = 0; e < v->n; e++) {
        key[e] = ID_NONE;
        if (g->chains.at[e] == ID_NONE)
            continue;
        uint32_t sum = 0; /* an event that precedes e has a smaller clock, and e is above it in one lane */
        for (uint32_t l = 0; l < g->lanes; l++)
            sum += g->clock[(size_t)e * g->lanes + l];
        key[e] = sum;
        most = sum > most ? sum : most;
    }
    struct groups sorted = group_by(key, v->n, most + 1, job->mem);
    explain_order(job, ASSAY_NO_THREAD, sorted.list, sorted.at[most + 1]);
}

static void force(struct job *job, struct causal *c)
{
    struct forced_order w;
    struct evidence *ev = &job->out->evidence;
    if (serial_forced_order(job, c, &w))
        return;
    job->out->verdict = ASSAY_CONSISTENT;
    ev->witness = job->witness;
    if (!job->witness)
        return;
    for (uint32_t g = 0; g < w.graphs; g++)
        graph_order(job, &w, g);
    for (uint32_t i = 0; i < w.edges.n; i++) {
        assay_pair pair = {job->rw->op[w.edges.at[i].from], job->rw->op[w.edges.at[i].to]};
        vec_push(ev->mem, &ev->closed, pair);
    }
}

/* ---- the observations of all threads ---- */

static void run_ccm(struct job *job, struct causal *c)
{
    struct ccm ccm;
    enum ccm_verdict verdict = ccm_check(&ccm, c, job->mem, job->budget, &job->out->stats);
    if (verdict == CCM_THREAD)
        serial_observed_wrongly(job, c, ccm.thread, ccm.thread + 1, false);
    else if (verdict == CCM_STORE || (verdict == CCM_HB && !serial_observed_wrongly(job, c, 0, job->rw->k, false)))
        explain_ccm(job, &ccm, verdict);
}

static void run_wccm(struct job *job, struct causal *c)
{
    struct wccm wccm;
    enum wccm_verdict verdict = wccm_check(&wccm, c, job->mem, job->budget, &job->out->stats);
    if (verdict != WCCM_FINE)
        explain_wccm(job, &wccm, verdict);
}

static void observe(struct job *job, struct causal *c)
{
    job->out->verdict = ASSAY_CONSISTENT;
    job->out->evidence.witness = job->witness;
    if (!serial_not_causal(job, c) && !serial_not_convergent(job, c, false))
        (job->model->conditions == COND_CCM ? run_ccm : run_wccm)(job, c);
}

static void run_saturate(struct job *job)
{
    struct causal c;
    if (serial_thin_air(job))
        return;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    (job->model->conditions & (COND_CCM | COND_WCCM) ? observe : force)(job, &c);
}

const struct engine engine_saturate = {
    .name = "saturate",
    .title = "forced store orders",
    .conditions = COND_CCM | COND_WSC | COND_WCCM | COND_WTSO,
    .apart = COND_CCM | COND_WCCM,
    .run = run_saturate,
};
