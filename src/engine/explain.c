/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/explain.h"

#include "order/path.h"

#include <assert.h>

/* How many readers of a write are tried for the shortest explanation of an edge to it. */
enum { READERS_TRIED = 16 };

struct explaining {
    struct job *job;
    const struct rw *v;
    struct evidence *ev;
    struct paths paths;
    const struct causal *c;
    struct groups readers;     /* of each write, once needed */
    const struct observe *o;   /* for hb */
    uint32_t limit;            /* only hb edges below this number may be used */
};

/* ---- edges that the searches follow ---- */

static void wr_causes(struct paths *p, const struct rw *v, uint32_t e)
{
    if ((v->kind[e] & RW_READS) && v->src[e] < RW_THIN)
        path_offer(p, v->src[e], e);
}

static void co_causes(void *arg, struct paths *p, uint32_t e)
{
    struct explaining *x = arg;
    wr_causes(p, x->v, e);
}

static void cf_causes(void *arg, struct paths *p, uint32_t e)
{
    struct explaining *x = arg;
    const struct rw *v = x->v;
    wr_causes(p, v, e);
    if (x->c->demand_of[e] == ID_NONE)
        return;
    const uint32_t *need = x->c->demands + (size_t)x->c->demand_of[e] * v->k;
    for (uint32_t u = 0; u < v->k; u++)
        if (need[u])
            path_offer(p, v->base[u] + need[u] - 1, e);
}

static void hb_causes(void *arg, struct paths *p, uint32_t e)
{
    struct explaining *x = arg;
    const struct observe *o = x->o;
    wr_causes(p, x->v, e);
    if (!o->edges_of[e])
        return;
    for (uint32_t i = o->edges_of[e] - 1; i < x->limit && i < o->edges.n && o->edges.at[i].w == e; i++)
        path_offer(p, o->edges.at[i].v, e);
}

static struct explaining begin(struct job *job, const struct causal *c, const struct observe *o,
                               void (*causes)(void *, struct paths *, uint32_t))
{
    struct explaining x = {.job = job, .v = job->rw, .ev = &job->out->evidence, .c = c, .o = o};
    job->out->verdict = ASSAY_VIOLATION;
    paths_init(&x.paths, chains_of_threads(x.v, job->mem), job->mem);
    x.paths.causes = causes;
    return x;
}

/* ---- steps ---- */

static void step(struct explaining *x, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    evidence_step(x->ev, rule, x->v->op[from], x->v->op[to], reason);
}

static void po_step(struct explaining *x, uint32_t from, uint32_t to)
{
    if (from != to)
        step(x, ASSAY_PO, from, to, ASSAY_NO_REASON);
}

static bool is_wr(const struct explaining *x, struct path_edge edge)
{
    return (x->v->kind[edge.to] & RW_READS) && x->v->src[edge.to] == edge.from;
}

/* The edges with program order between them, from `from` to `to`. reasons[i] explains edge i unless it is
 * wr; NULL: all are wr. */
static void path_steps(struct explaining *x, uint32_t from, uint32_t to, const struct path_edge *edges,
                       uint32_t count, assay_rule rule, const uint32_t *reasons)
{
    uint32_t at = from;
    for (uint32_t i = 0; i < count; i++) {
        po_step(x, at, edges[i].from);
        bool wr = is_wr(x, edges[i]);
        assert(wr || reasons);
        step(x, wr ? ASSAY_WR : rule, edges[i].from, edges[i].to, wr ? ASSAY_NO_REASON : reasons[i]);
        at = edges[i].to;
    }
    po_step(x, at, to);
}

/* The cycle that a search found. */
static void cycle_steps(struct explaining *x, const struct paths *search, assay_rule rule,
                        const uint32_t *reasons, enum pattern pattern)
{
    uint32_t start = search->found.at[0].from;
    path_steps(x, start, start, search->found.at, search->found.n, rule, reasons);
    evidence_cycle(x->ev, pattern);
}

/* The shortest path of po and wr, as steps. */
static void co_path(struct explaining *x, uint32_t from, uint32_t to)
{
    bool found = path_find(&x->paths, from, to, UINT32_MAX);
    assert(found);
    (void)found;
    path_steps(x, from, to, x->paths.found.at, x->paths.found.n, ASSAY_WR, NULL);
}

/* ---- causal patterns ---- */

void explain_thin_air(struct job *job)
{
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.culprit = job->rw->op[job->rw->thin];
    job->out->evidence.pattern = PATTERN_ThinAirRead;
}

void explain_cyclic_co(struct job *job, const struct causal *c)
{
    struct explaining x = begin(job, c, NULL, co_causes);
    x.paths.arg = &x;
    cycle_find(&x.paths, c->sort.done, advance_on_cycle(&c->sort));
    cycle_steps(&x, &x.paths, ASSAY_WR, NULL, PATTERN_CyclicCO);
}

/* Of the first readers of w that have v among their causes, the one with the shortest way from v. */
static uint32_t nearest_reader(struct explaining *x, uint32_t v, uint32_t w)
{
    if (!x->readers.at)
        x->readers = group_by(x->v->src, x->v->n, x->v->n, x->job->mem);
    uint32_t best = ID_NONE, most = UINT32_MAX, tried = 0;
    for (uint32_t i = x->readers.at[w]; i < x->readers.at[w + 1] && tried < READERS_TRIED; i++) {
        uint32_t r = x->readers.list[i];
        if (!causal_before(x->c, v, r))
            continue;
        tried++;
        if (path_find(&x->paths, v, r, most)) {
            best = r;
            if (x->paths.found.n == 0)
                break;
            most = x->paths.found.n - 1;
        }
    }
    assert(best != ID_NONE);
    return best;
}

static uint32_t initial_reader(struct explaining *x, uint32_t later)
{
    const struct rw *v = x->v;
    for (uint32_t e = 0; e < v->n; e++)
        if ((v->kind[e] & RW_READS) && v->src[e] == RW_INIT && v->var[e] == v->var[later] &&
            causal_before(x->c, later, e))
            return e;
    assert(!"some read of the initial value comes after it");
    return ID_NONE;
}

void explain_write_co_read(struct job *job, const struct causal *c, uint32_t source, uint32_t later)
{
    struct explaining x = begin(job, c, NULL, co_causes);
    x.paths.arg = &x;
    bool initial = source == RW_INIT;
    uint32_t read = initial ? initial_reader(&x, later) : nearest_reader(&x, later, source);
    if (!initial)
        co_path(&x, source, later);
    uint32_t op = x.v->op[read];
    uint32_t reason = evidence_reason(x.ev, ASSAY_RW, op, x.v->op[later], op);
    step(&x, ASSAY_RW, read, later, reason);
    co_path(&x, later, read);
    evidence_cycle(x.ev, initial ? PATTERN_WriteCOInitRead : PATTERN_WriteCORead);
}

void explain_cyclic_cf(struct job *job, const struct causal *c, const struct advance *sort)
{
    struct explaining x = begin(job, c, NULL, co_causes);
    struct paths cycle = {.causes = cf_causes, .arg = &x};
    x.paths.arg = &x;
    paths_init(&cycle, x.paths.chains, job->mem);
    cycle_find(&cycle, sort->done, advance_on_cycle(sort));
    uint32_t *reasons = mem_new(job->mem, uint32_t, cycle.found.n);
    for (uint32_t i = 0; i < cycle.found.n; i++) {
        struct path_edge edge = cycle.found.at[i];
        if (is_wr(&x, edge))
            continue;
        uint32_t read = nearest_reader(&x, edge.from, edge.to);
        co_path(&x, edge.from, read);
        reasons[i] = evidence_reason(x.ev, ASSAY_CF, x.v->op[edge.from], x.v->op[edge.to], x.v->op[read]);
    }
    cycle_steps(&x, &cycle, ASSAY_CF, reasons, PATTERN_CyclicCF);
}

/* ---- what one thread observes ---- */

struct hb_need { /* an hb edge that the refutation uses, and where its path lies in `pool` */
    uint32_t edge;
    uint32_t at, count;
};

struct hb_reasons {
    struct explaining *x;
    uint32_t *reason_of; /* hb edge -> 0: not needed, 1: needed, else its reason's number + 2 */
    VEC(struct hb_need) needs;
    VEC(struct path_edge) pool;
};

static uint32_t hb_edge(const struct observe *o, struct path_edge edge)
{
    uint32_t i = o->edges_of[edge.to] - 1;
    while (o->edges.at[i].v != edge.from)
        i++;
    return i;
}

static void need_all(struct hb_reasons *h, const struct path_edge *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_wr(h->x, edges[i]))
            h->reason_of[hb_edge(h->x->o, edges[i])] = 1;
}

/* The reasons of a path's hb edges, in a row, for path_steps. */
static const uint32_t *reasons_of(struct hb_reasons *h, const struct path_edge *edges, uint32_t count)
{
    uint32_t *reasons = mem_new(h->x->job->mem, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (!is_wr(h->x, edges[i]))
            reasons[i] = h->reason_of[hb_edge(h->x->o, edges[i])] - 2;
    return reasons;
}

/* An edge rests on edges derived before it: from the last needed one down, paths are found and mark what they
 * need in turn; from the first one up, reasons are written. */
static void write_reasons(struct hb_reasons *h)
{
    struct explaining *x = h->x;
    const struct observe *o = x->o;
    struct mem *m = x->job->mem;
    for (uint32_t i = o->edges.n; i-- > 0;) {
        if (!h->reason_of[i])
            continue;
        struct observed_edge edge = o->edges.at[i];
        x->limit = o->edges_of[edge.w] - 1;
        bool found = path_find(&x->paths, edge.v, edge.read, UINT32_MAX);
        assert(found);
        (void)found;
        struct hb_need need = {i, h->pool.n, x->paths.found.n};
        vec_push(m, &h->needs, need);
        for (uint32_t s = 0; s < x->paths.found.n; s++)
            vec_push(m, &h->pool, x->paths.found.at[s]);
        need_all(h, x->paths.found.at, x->paths.found.n);
    }
    for (uint32_t n = h->needs.n; n-- > 0;) {
        struct hb_need need = h->needs.at[n];
        struct observed_edge edge = o->edges.at[need.edge];
        const struct path_edge *path = h->pool.at + need.at;
        path_steps(x, edge.v, edge.read, path, need.count, ASSAY_HB, reasons_of(h, path, need.count));
        h->reason_of[need.edge] = 2 + evidence_reason(x->ev, ASSAY_HB, x->v->op[edge.v],
                                                      x->v->op[edge.w], x->v->op[edge.read]);
    }
}

/* Keeps the edges that the last search found, and writes the reasons they need. */
static const struct path_edge *keep_found(struct hb_reasons *h, uint32_t *count)
{
    struct mem *m = h->x->job->mem;
    *count = h->x->paths.found.n;
    struct path_edge *kept = mem_new(m, struct path_edge, *count);
    for (uint32_t i = 0; i < *count; i++)
        kept[i] = h->x->paths.found.at[i];
    h->reason_of = mem_new_zero(m, uint32_t, h->x->o->edges.n);
    need_all(h, kept, *count);
    write_reasons(h);
    return kept;
}

void explain_cyclic_hb(struct job *job, const struct observe *o)
{
    struct explaining x = begin(job, o->c, o, hb_causes);
    struct hb_reasons h = {.x = &x};
    uint32_t count;
    x.paths.arg = &x;
    x.limit = o->edges.n;
    cycle_find(&x.paths, o->sort.done, o->on_cycle);
    const struct path_edge *cycle = keep_found(&h, &count);
    path_steps(&x, cycle[0].from, cycle[0].from, cycle, count, ASSAY_HB, reasons_of(&h, cycle, count));
    evidence_cycle(x.ev, PATTERN_CyclicHB);
}

void explain_write_hb_init_read(struct job *job, const struct observe *o, uint32_t read, uint32_t later)
{
    struct explaining x = begin(job, o->c, o, hb_causes);
    struct hb_reasons h = {.x = &x};
    uint32_t count;
    x.paths.arg = &x;
    x.limit = o->edges.n;
    bool found = path_find(&x.paths, later, read, UINT32_MAX);
    assert(found);
    (void)found;
    const struct path_edge *path = keep_found(&h, &count);
    uint32_t op = x.v->op[read];
    uint32_t reason = evidence_reason(x.ev, ASSAY_RW, op, x.v->op[later], op);
    step(&x, ASSAY_RW, read, later, reason);
    path_steps(&x, later, read, path, count, ASSAY_HB, reasons_of(&h, path, count));
    evidence_cycle(x.ev, PATTERN_WriteHBInitRead);
}

/* ---- witnesses ---- */

void explain_order(struct job *job, uint32_t thread, const uint32_t *events, uint32_t count)
{
    const struct rw *v = job->rw;
    evidence_begin_order(&job->out->evidence, thread);
    for (uint32_t i = 0; i < count; i++)
        if (v->kind[events[i]] & (RW_READS | RW_WRITES))
            evidence_place(&job->out->evidence, v->op[events[i]]);
    if (thread != ASSAY_NO_THREAD && v->base[thread] == v->base[thread + 1])
        (void)vec_pop(&job->out->evidence.orders); /* a thread that did nothing observes nothing */
}
