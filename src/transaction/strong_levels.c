/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `auto` for pc, psi, si and ser: from the cheap to the certain, as for sc (memory/auto.c).
 *
 * Reads that every level forbids come first. Then an execution with repair explains most histories of stores that are
 * right. Then come the weak levels, which the strong ones imply, and the forced orders. A search with backjumping is
 * for the rest. A history without session order has as many threads as transactions. But if it is explained with
 * session order, that is an explanation of it, too. So this is tried first.
 *
 * An execution of a stronger level is one of a weaker level, too, and ser has the simplest ones. psi has no execution
 * of its own: one of si is one of psi. Without that its forced order has no rw (forced_order.h).
 * Source: gradual consistency checking (CAV'19), applied to the graphs of transaction/slices.h. */
#include "memory/serial.h"
#include "transaction/anomaly.h"
#include "transaction/concurrent.h"
#include "transaction/dependencies.h"
#include "transaction/slices.h"

struct strong {
    struct job *job;
    struct slices s;
    struct advance sort;
    uint32_t *order, *rank, *depth, placed; /* of base U wr U vo: the events, their places, the longest paths to them */
    const uint32_t *guess;                  /* of each event: when it seems to have happened */
};

/* ---- the order of base, wr and vo ---- */

static uint32_t unplaced(void *arg, uint32_t e)
{
    struct strong *x = arg;
    return advance_unplaced_source(&x->sort, &x->s.rw, e);
}

static uint32_t deeper(const struct strong *x, uint32_t depth, uint32_t before)
{
    return x->depth[before] >= depth ? x->depth[before] + 1 : depth;
}

static void place(void *arg, uint32_t e)
{
    struct strong *x = arg;
    const struct rw *v = &x->s.rw;
    uint32_t depth = e > v->base[v->thread[e]] ? x->depth[e - 1] + 1 : 0, count = 0;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN)
            depth = deeper(x, depth, rw_event(v, v->src[a]));
    const uint32_t *before = v->across ? across_before(v, e, &count) : NULL;
    for (uint32_t i = 0; i < count; i++)
        depth = deeper(x, depth, before[i]);
    x->depth[e] = depth;
    x->rank[e] = x->placed;
    x->order[x->placed++] = e;
}

/* False: there is a cycle. */
static bool sort(struct strong *x)
{
    struct mem *m = x->job->mem;
    const struct rw *v = &x->s.rw;
    x->order = mem_new(m, uint32_t, (size_t)v->n + 1);
    x->rank = mem_new(m, uint32_t, (size_t)v->n + 1);
    x->depth = mem_new(m, uint32_t, (size_t)v->n + 1);
    advance_init(&x->sort, v, m);
    return advance_sort(&x->sort, unplaced, place, x, x->job->budget);
}

/* ---- verdicts ---- */

/* Each transaction at its events: once, or at its begin and its commit. psi has one order of commits. */
static void accept(struct strong *x, const uint32_t *order, uint32_t count)
{
    struct evidence *ev = &x->job->out->evidence;
    const struct rw *v = &x->s.rw;
    unsigned level = x->job->model->conditions;
    bool commits_only = (level & COND_PSI) && x->s.points == 2;
    bool at_once = (level & (COND_PC | COND_SI)) && x->s.points == 1; /* an order of ser: each commits as it begins */
    x->job->out->verdict = ASSAY_CONSISTENT;
    if (!x->job->witness)
        return;
    ev->witness = true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < count; i++) {
        if (!slices_is_txn(&x->s, order[i]) || (commits_only && order[i] % 2 == 0))
            continue;
        evidence_place(ev, v->op[order[i]]);
        if (at_once)
            evidence_place(ev, v->op[order[i]]);
    }
}

/* The weak levels are implied. True: one of them is violated. */
static bool weakly_refuted(struct job *job)
{
    struct dependencies d;
    job_tries(job, "weak levels");
    dependencies_init(&d, job);
    if (force_tcc(&d) && d.impossible == ID_NONE && d.two_sources == ID_NONE && dependencies_sort(&d))
        return false;
    job->out->verdict = ASSAY_VIOLATION;
    dependencies_explain(&d, job);
    return true;
}

/* ---- execution with repair ---- */

/* If few transactions are recorded before one that they read from, transactions were perhaps recorded as they happened.
 * Else the longest path to an event tells when it seems to have happened. */
static const uint32_t *guess(const struct strong *x)
{
    enum { FEW = 8 }; /* one in so many */
    const struct rw *v = &x->s.rw;
    uint64_t early = 0, all = 0;
    for (uint32_t a = 0; a < v->a; a++) {
        if (!(v->kind[a] & RW_READS) || v->src[a] >= RW_THIN)
            continue;
        all++;
        early += v->op[rw_event(v, v->src[a])] > v->op[rw_event(v, a)];
    }
    return early * FEW > all ? x->depth : v->op;
}

/* The events of these transactions for the level. False: base, wr and vo have a cycle, or a read has two sources. */
static bool prepare(struct strong *x, struct job *job, const struct txn_view *v, unsigned level)
{
    *x = (struct strong){.job = job};
    slices_init(&x->s, v, level, job->mem);
    if (x->s.two_sources != ID_NONE || !sort(x))
        return false;
    x->guess = guess(x);
    return true;
}

static bool executed(struct strong *x)
{
    uint32_t count;
    job_tries(x->job, "an execution with repair");
    const uint32_t *order = serial_execution(x->job, &x->s.rw, MEMORY_SC, x->guess, 0, &count);
    if (order)
        accept(x, order, count);
    return order;
}

static bool has_execution(struct job *job, const struct txn_view *v, unsigned level)
{
    struct strong x;
    return prepare(&x, job, v, level) && executed(&x);
}

/* ---- forced orders and a search ---- */

/* The rule of an edge of base order or of versions. */
static assay_rule rule_of(void *arg, uint32_t from, uint32_t to)
{
    const struct strong *x = arg;
    const struct txn_view *v = x->s.v;
    const history *h = x->job->h;
    uint32_t t = from / x->s.points, u = to / x->s.points;
    if (x->job->model->base != BASE_NONE && h->thread[v->op[t]] == h->thread[v->op[u]] && v->op[t] < v->op[u] &&
        !history_pending(h, v->op[t]))
        return ASSAY_PO;
    for (uint32_t w = v->version ? v->writes_at[u] : 0; v->version && w < v->writes_at[u + 1]; w++)
        if (txn_version_before(v, w) == t)
            return ASSAY_VO;
    return ASSAY_RT;
}

static void force_and_search(struct strong *x)
{
    struct forced_order w;
    struct job job = *x->job;
    struct evidence *ev = &job.out->evidence;
    job.rw = &x->s.rw;
    job_tries(&job, "forced orders and a search");
    forced_init(&w, &x->s.rw, MEMORY_SC, x->order, x->rank, job.mem, job.budget, &job.out->stats);
    w.facts = (struct forced_facts){rule_of, x};
    w.without_rw = job.model->conditions & COND_PSI;
    w.guess = x->guess;
    if (serial_refuted(&job, &w, forced_close(&w))) {
        if (ev->steps.at[ev->cycle_at].to == ASSAY_NO_OPERATION) /* its reason, the last one, says all */
            ev->cycle_count = 0;
        anomaly_name(ev, x->s.v, job.model->conditions, job.mem);
        return;
    }
    const uint32_t *order = serial_order(&job, &w);
    if (order) {
        evidence_drop_refutation(ev);
        accept(x, order, x->s.rw.n);
        return;
    }
    job.out->verdict = ASSAY_VIOLATION;
    if (w.without_rw && concurrent_pair(&job, x->s.v))
        anomaly_name(ev, x->s.v, job.model->conditions, job.mem);
    else
        ev->pattern = PATTERN_NoVersionOrder;
}

static void run(struct job *job)
{
    const struct txn_view *v = job->txns;
    unsigned level = job->model->conditions;
    bool psi = level & COND_PSI;
    struct strong x;
    if (txn_view_refutes(v, job->out))
        return;
    if (job->model->base == BASE_NONE &&
        has_execution(job, txn_view(job->h, BASE_SESSION, 0, job->mem, job->error), psi ? COND_SI : level))
        return;
    if (prepare(&x, job, v, psi ? COND_SI : level) && executed(&x))
        return;
    if (!(level & COND_SER) && has_execution(job, v, COND_SER))
        return;
    if (weakly_refuted(job))
        return;
    if (psi)
        prepare(&x, job, v, level);
    force_and_search(&x);
}

const struct engine engine_auto_transactions = {
    .name = "auto",
    .title = "gradually: executions, weak levels, forced orders, search",
    .conditions = COND_PC | COND_PSI | COND_SI | COND_SER,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .run = run,
};
