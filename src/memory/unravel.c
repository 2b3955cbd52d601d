/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/unravel.h"

#include "base/heap.h"

#include <string.h>

/* ---- searching a graph of the forced order backwards ---- */

static void causes(void *arg, struct paths *p, uint32_t e)
{
    struct unravel *u = arg;
    const struct forced_order *w = u->w;
    const struct groups *fixed = &u->fixed_into[u->graph];
    for (uint32_t i = fixed->at[e]; i < fixed->at[e + 1]; i++)
        path_offer(p, fixed->list[i], e);
    for (uint32_t i = w->in[e]; i != ID_NONE; i = w->edges.at[i].next_in)
        if (i < u->limit)
            path_offer(p, w->edges.at[i].from, e);
}

void unravel_init(struct unravel *u, struct job *job, const struct forced_order *w)
{
    *u = (struct unravel){.job = job, .w = w, .ev = &job->out->evidence};
    for (uint32_t g = 0; g < w->graphs; g++) {
        paths_init(&u->paths[g], w->graph[g].chains, job->mem);
        u->paths[g].causes = causes;
        u->fixed_into[g] = groups_inverse(w->graph[g].fixed_at, w->graph[g].fixed, w->v->n, job->mem);
    }
}

static struct paths *search(struct unravel *u, uint32_t graph, uint32_t limit)
{
    u->graph = graph;
    u->limit = limit;
    u->paths[graph].arg = u; /* the struct may have moved since unravel_init */
    return &u->paths[graph];
}

/* ---- steps ---- */

static void step(struct unravel *u, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    const struct rw *v = u->w->v;
    if (from != to && v->op[from] == v->op[to])
        return;
    if (v->op[to] == ID_NONE)
        u->gone = from;
    else if (v->op[from] == ID_NONE)
        evidence_step(u->ev, u->w->facts.rule(u->w->facts.arg, u->gone, to), v->op[u->gone], v->op[to], reason);
    else
        evidence_step(u->ev, rule, v->op[from], v->op[to], reason);
}

/* The rule of an edge that holds in any case and is neither wr nor rw. */
static assay_rule fact(const struct unravel *u, assay_rule order, uint32_t from, uint32_t to)
{
    const struct rw *v = u->w->v;
    bool between = v->op[from] != v->op[to] && v->op[from] != ID_NONE && v->op[to] != ID_NONE;
    return u->w->facts.rule && between ? u->w->facts.rule(u->w->facts.arg, from, to) : order;
}

/* The edge from -> to, as it was known when `limit` edges were; ID_NONE: it is a fixed one. */
static uint32_t edge_number(const struct unravel *u, struct path_edge e, uint32_t graph, uint32_t limit)
{
    const struct groups *fixed = &u->fixed_into[graph];
    for (uint32_t i = fixed->at[e.to]; i < fixed->at[e.to + 1]; i++)
        if (fixed->list[i] == e.from)
            return ID_NONE;
    uint32_t i = u->w->in[e.to];
    while (i >= limit || u->w->edges.at[i].from != e.from)
        i = u->w->edges.at[i].next_in;
    return i;
}

static bool reads_from(const struct rw *v, struct path_edge e)
{
    for (uint32_t a = rw_from(v, e.to), end = rw_to(v, e.to); a < end; a++)
        if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN && rw_event(v, v->src[a]) == e.from)
            return true;
    return false;
}

static bool writes(const struct rw *v, uint32_t e, uint32_t x)
{
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        if ((v->kind[a] & RW_WRITES) && v->var[a] == x)
            return true;
    return false;
}

/* A fixed edge from a read of the initial value to a write. */
static bool overwrites_initial(const struct rw *v, struct path_edge e)
{
    for (uint32_t a = rw_from(v, e.from), end = rw_to(v, e.from); a < end; a++)
        if ((v->kind[a] & RW_READS) && v->src[a] == RW_INIT && writes(v, e.to, v->var[a]))
            return true;
    return false;
}

/* Their reasons have no path, and stand before the steps that use them. */
static uint32_t *initial_reasons(struct unravel *u, const struct path_edge *path, uint32_t count)
{
    const struct rw *v = u->w->v;
    uint32_t *reasons = mem_new(u->job->mem, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (overwrites_initial(v, path[i]))
            reasons[i] = evidence_reason(u->ev, ASSAY_RW, v->op[path[i].from], v->op[path[i].to], v->op[path[i].from]);
    return reasons;
}

/* Orders by locks are those of the writers that hold them (transaction/txn_events.h). */
static assay_rule public_rule(const struct rw *v, const struct forced_edge *e)
{
    static const assay_rule rules[] = {[FORCED_CF] = ASSAY_CF,
                                       [FORCED_WW] = ASSAY_WW,
                                       [FORCED_RW] = ASSAY_RW,
                                       [FORCED_FINAL] = ASSAY_WW,
                                       [FORCED_CASE] = ASSAY_CASE};
    bool reads = e->rule == FORCED_CF || e->rule == FORCED_RW;
    return reads && v->var[e->read] >= v->keys ? ASSAY_WW : rules[e->rule];
}

/* The edges with chains between them, from `from` to `to`; the reasons they need are written before. */
static void path_steps(struct unravel *u, uint32_t graph, uint32_t limit, uint32_t from, uint32_t to,
                       const struct path_edge *path, uint32_t count)
{
    const struct rw *v = u->w->v;
    uint32_t *initial = initial_reasons(u, path, count), at = from;
    assay_rule order = frame_rule(u->w->graphs, graph);
    for (uint32_t i = 0; i < count; i++) {
        struct path_edge e = path[i];
        uint32_t number = edge_number(u, e, graph, limit);
        if (at != e.from)
            step(u, fact(u, order, at, e.from), at, e.from, ASSAY_NO_REASON);
        if (number != ID_NONE) {
            const struct forced_edge *edge = &u->w->edges.at[number];
            step(u, public_rule(v, edge), e.from, e.to,
                 edge->rule == FORCED_CASE ? ASSAY_NO_REASON : u->reason_of.at[number] - 2);
        } else if (reads_from(v, e) && (order != ASSAY_PPO || v->thread[e.from] != v->thread[e.to])) {
            step(u, ASSAY_WR, e.from, e.to, ASSAY_NO_REASON);
        } else if (overwrites_initial(v, e)) {
            step(u, ASSAY_RW, e.from, e.to, initial[i]);
        } else {
            step(u, fact(u, order, e.from, e.to), e.from, e.to, ASSAY_NO_REASON);
        }
        at = e.to;
    }
    if (at != to)
        step(u, fact(u, order, at, to), at, to, ASSAY_NO_REASON);
    mem_free(u->job->mem, initial);
}

/* ---- reasons ---- */

/* The needed edges that wait for their premises, as a heap with the latest on top. */
static void push_waiting(struct unravel *u, uint32_t edge)
{
    vec_push(u->job->mem, &u->waiting, 0);
    heap_put(u->waiting.at, u->waiting.n - 1, UINT32_MAX - edge);
}

static uint32_t pop_waiting(struct unravel *u)
{
    return UINT32_MAX - (uint32_t)heap_take(u->waiting.at, u->waiting.n--);
}

static void need_all(struct unravel *u, uint32_t graph, uint32_t limit, const struct path_edge *path, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = edge_number(u, path[i], graph, limit);
        if (number == ID_NONE || u->reason_of.at[number])
            continue;
        u->reason_of.at[number] = 1;
        push_waiting(u, number);
    }
}

static uint32_t keep(struct unravel *u, const struct paths *p)
{
    uint32_t at = u->pool.n;
    for (uint32_t i = 0; i < p->found.n; i++)
        vec_push(u->job->mem, &u->pool, p->found.at[i]);
    return at;
}

/* An event of no operation that writes: the initial transaction. */
static bool is_initial(const struct rw *v, uint32_t e)
{
    return v->op[e] == ID_NONE && v->does[e];
}

/* The premise of edge i is a path between these. */
static void premise(const struct forced_order *w, struct forced_edge e, uint32_t *from, uint32_t *to)
{
    const struct rw *v = w->v;
    *from = e.rule == FORCED_RW ? rw_event(v, v->src[e.read]) : e.from;
    *to = e.rule == FORCED_CF ? rw_event(v, e.read) : e.to;
}

static void find_premises(struct unravel *u)
{
    const struct forced_order *w = u->w;
    while (u->waiting.n) {
        uint32_t i = pop_waiting(u);
        struct forced_edge e = w->edges.at[i];
        if (e.rule == FORCED_CASE) {
            vec_push(u->job->mem, &u->assumed, i);
            continue;
        }
        uint32_t from, to;
        premise(w, e, &from, &to);
        if (e.rule == FORCED_FINAL || is_initial(w->v, from)) { /* the history says so: a reason without a path */
            struct unravel_need said = {i, u->pool.n, 0};
            vec_push(u->job->mem, &u->needs, said);
            continue;
        }
        struct paths *p = search(u, e.graph, i);
        path_must_find(p, from, to);
        struct unravel_need need = {i, keep(u, p), p->found.n};
        vec_push(u->job->mem, &u->needs, need);
        need_all(u, e.graph, i, u->pool.at + need.at, need.count);
    }
}

static void write_reasons(struct unravel *u)
{
    const struct forced_order *w = u->w;
    const struct rw *v = w->v;
    for (uint32_t n = u->needs.n; n-- > 0;) {
        struct unravel_need need = u->needs.at[n];
        struct forced_edge e = w->edges.at[need.edge];
        uint32_t from, to;
        premise(w, e, &from, &to);
        if (e.rule != FORCED_FINAL && !is_initial(v, from))
            path_steps(u, e.graph, need.edge, from, to, u->pool.at + need.at, need.count);
        assay_rule rule = public_rule(v, &e);
        uint32_t read = rule == ASSAY_WW ? ASSAY_NO_OPERATION : v->op[rw_event(v, e.read)];
        u->reason_of.at[need.edge] = 2 + evidence_reason(u->ev, rule, v->op[e.from], v->op[e.to], read);
    }
}

/* Forgets the last refutation; the array grows with the forced order's edges. */
static void forget(struct unravel *u)
{
    for (uint32_t i = 0; i < u->needs.n; i++)
        u->reason_of.at[u->needs.at[i].edge] = 0;
    for (uint32_t i = 0; i < u->assumed.n; i++)
        u->reason_of.at[u->assumed.at[i]] = 0;
    while (u->reason_of.n < u->w->edges.n)
        vec_push(u->job->mem, &u->reason_of, 0);
    vec_clear(&u->assumed);
    vec_clear(&u->needs);
    vec_clear(&u->pool);
}

/* Turns the cycle until it begins with an event of an operation. */
static void begin_at_operation(const struct unravel *u, struct path_edge *cycle, uint32_t count)
{
    while (u->w->v->op[cycle[0].from] == ID_NONE) {
        struct path_edge first = cycle[0];
        memmove(cycle, cycle + 1, (count - 1) * sizeof *cycle);
        cycle[count - 1] = first;
    }
}

void unravel_conflict(struct unravel *u)
{
    const struct forced_order *w = u->w;
    uint32_t graph = w->conflict_graph, limit = w->edges.n;
    forget(u);
    struct paths *p = search(u, graph, limit);
    path_must_find(p, w->conflict, w->conflict);
    uint32_t at = keep(u, p), count = p->found.n;
    need_all(u, graph, limit, u->pool.at + at, count);
    find_premises(u);
    write_reasons(u);
    struct path_edge *cycle = u->pool.at + at;
    for (uint32_t i = 0; i < count; i++)
        if (is_initial(w->v, cycle[i].to)) { /* which is before all anyway */
            uint32_t reason = u->reason_of.at[edge_number(u, cycle[i], graph, limit)] - 2;
            evidence_step(u->ev, ASSAY_CF, w->v->op[cycle[i].from], ASSAY_NO_OPERATION, reason);
            return;
        }
    begin_at_operation(u, cycle, count);
    path_steps(u, graph, limit, cycle[0].from, cycle[0].from, cycle, count);
}
