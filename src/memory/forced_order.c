/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/forced_order.h"

#include "memory/edges.h"
#include "memory/readers.h"

#include <string.h>

/* ---- clocks ---- */

static uint32_t *clock_of(const struct forced_graph *g, uint32_t e)
{
    return g->clock + (size_t)e * g->lanes;
}

static void set_cell(struct forced_order *w, uint32_t *cell, uint32_t value)
{
    if (w->trailing) {
        struct forced_change change = {cell, *cell};
        vec_push(w->m, &w->trail, change);
    }
    *cell = value;
}

static void grew(struct forced_order *w, uint32_t graph, uint32_t e, uint64_t lanes)
{
    struct forced_graph *g = &w->graph[graph];
    if (clock_of(g, e)[g->lane[e]] > g->chains.at[e] && w->conflict == ID_NONE) {
        w->conflict = e;
        w->conflict_graph = graph;
    }
    g->fresh[e] |= lanes;
    if (w->tracking && graph == 0)
        vec_push(w->m, &w->touched, e);
    dirty_add(&w->dirty, w->rank[e]);
}

/* b learns that a precedes it, and the lanes in `mask` of a's clock. */
static void learn(struct forced_order *w, uint32_t graph, uint32_t a, uint32_t b, uint64_t mask)
{
    struct forced_graph *g = &w->graph[graph];
    uint32_t *restrict to = clock_of(g, b);
    const uint32_t *restrict from = clock_of(g, a);
    uint32_t lane = g->lane[a], end = g->chains.at[a] + 1;
    uint64_t changed = 0;
    if (to[lane] < end) {
        set_cell(w, &to[lane], end);
        changed |= (uint64_t)1 << (lane & 63);
    }
    if (g->lanes < 64) /* lanes that there are not have not grown */
        mask &= ((uint64_t)1 << g->lanes) - 1;
    for (; mask; mask &= mask - 1) /* lane by lane: mostly few have grown */
        for (uint32_t l = (uint32_t)__builtin_ctzll(mask); l < g->lanes; l += 64)
            if (from[l] > to[l]) {
                set_cell(w, &to[l], from[l]);
                changed |= (uint64_t)1 << (l & 63);
            }
    if (changed)
        grew(w, graph, b, changed);
}

/* ---- edges ---- */

static void add_edge(struct forced_order *w, enum forced_rule rule, uint32_t graph, uint32_t from, uint32_t to,
                     uint32_t read)
{
    bool known = true;
    for (uint32_t g = 0; g < w->graphs; g++)
        known &= forced_before(w, g, from, to);
    if (known || w->conflict != ID_NONE) /* consequences of a conflict would only hide it */
        return;
    struct forced_edge edge = {from, to, read, w->out[from], w->in[to], (uint8_t)rule, (uint8_t)graph};
    vec_push(w->m, &w->edges, edge);
    w->out[from] = w->in[to] = w->edges.n - 1;
    w->stats->forced++;
    for (uint32_t g = 0; g < w->graphs; g++)
        learn(w, g, from, to, UINT64_MAX);
}

void forced_assume(struct forced_order *w, uint32_t v, uint32_t x, uint32_t tag)
{
    add_edge(w, FORCED_CASE, 0, v, x, tag);
}

void forced_final(struct forced_order *w)
{
    const struct rw *v = w->v;
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++) {
        uint32_t last = rw_before_final(v, g);
        if (last != ID_NONE)
            add_edge(w, FORCED_FINAL, 0, last, v->final[v->var[last]], ID_NONE);
    }
}

/* ---- rules ---- */

/* The last write of the group below `end` of its lane, as an entry of rw->idx, or ID_NONE. Asked by one thread, the
 * answer rarely moves far, so the search gallops from the last one. */
static uint32_t last_write(struct forced_order *w, struct forced_graph *g, uint32_t group, uint32_t thread,
                           uint32_t end)
{
    const struct rw *v = w->v;
    uint32_t from = v->groups[group].from, n = v->groups[group + 1].from - from;
    const uint32_t *at = g->write_at + from;
    uint32_t *hint = &g->hint[(size_t)group * v->k + thread];
    uint32_t low = *hint, high = low, step = 1; /* at[low - 1] < end, once low is right */
    if (low > 0 && at[low - 1] >= end) {
        while (low > 0 && at[low - 1] >= end) {
            high = low - 1;
            low = low > step ? low - step : 0;
            step *= 2;
        }
    } else if (low < n && at[low] < end) {
        high = low + 1;
        while (high < n && at[high] < end) {
            low = high;
            high = high + step < n ? high + step : n;
            step *= 2;
        }
        low++;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    *hint = low;
    w->stats->lookups++;
    return low ? from + low - 1 : ID_NONE;
}

/* Do both events write one variable? */
static bool share_write(const struct rw *v, uint32_t e, uint32_t f)
{
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        for (uint32_t b = rw_from(v, f); (v->kind[a] & RW_WRITES) && b < rw_to(v, f); b++)
            if ((v->kind[b] & RW_WRITES) && v->var[a] == v->var[b])
                return true;
    return false;
}

/* The readers of the write come before event e. Without rw, those that write a variable that e writes, too: e would be
 * a write that such a reader missed, if it came before the reader. */
static void order_readers(struct forced_order *w, uint32_t graph, uint32_t write, uint32_t e)
{
    for (uint32_t i = w->last_readers.at[write]; i < w->last_readers.at[write + 1]; i++) {
        uint32_t read = w->last_readers.list[i], r = rw_event(w->v, read);
        if (r != e && (!w->without_rw || share_write(w->v, r, e)))
            add_edge(w, FORCED_RW, graph, r, e, read);
    }
}

/* An access of event e in one graph: the lanes that grew may hold a later write of its variable. */
static void apply_rules_of(struct forced_order *w, uint32_t graph, uint32_t e, uint32_t access, uint64_t fresh)
{
    struct forced_graph *g = &w->graph[graph];
    const struct rw *v = w->v;
    uint32_t x = v->var[access];
    uint8_t kind = v->kind[access];
    if (!(kind & (RW_READS | RW_WRITES)))
        return;
    for (uint32_t group = v->groups_of[x]; group < v->groups_of[x + 1]; group++) {
        uint32_t lane = g->group_lane[group];
        if (!(fresh >> (lane & 63) & 1))
            continue;
        uint32_t entry = last_write(w, g, group, v->thread[e], clock_of(g, e)[lane]);
        if (entry == ID_NONE)
            continue;
        uint32_t last = rw_write(v, group, entry);
        if (last == e) /* a conflict that has been noted */
            continue;
        if ((kind & RW_READS) && v->src[access] < RW_THIN && last != rw_event(v, v->src[access]))
            add_edge(w, FORCED_CF, graph, last, rw_event(v, v->src[access]), access);
        if (kind & RW_WRITES) {
            if (w->graphs > 1)
                add_edge(w, FORCED_WW, graph, last, e, ID_NONE);
            order_readers(w, graph, rw_written(v, group, entry), e);
        }
    }
}

static void apply_rules(struct forced_order *w, uint32_t graph, uint32_t e, uint64_t fresh)
{
    for (uint32_t access = rw_from(w->v, e), end = rw_to(w->v, e); access < end; access++)
        apply_rules_of(w, graph, e, access, fresh);
}

static void pass_on(struct forced_order *w, uint32_t graph, uint32_t e, uint64_t fresh)
{
    struct forced_graph *g = &w->graph[graph];
    uint32_t next = chain_next(&g->chains, e);
    if (next != ID_NONE)
        learn(w, graph, e, next, fresh);
    for (uint32_t i = g->fixed_at[e]; i < g->fixed_at[e + 1]; i++)
        learn(w, graph, e, g->fixed[i], fresh);
    for (uint32_t i = w->out[e]; i != ID_NONE; i = w->edges.at[i].next_out)
        learn(w, graph, e, w->edges.at[i].to, fresh);
}

/* After a conflict fresh lanes belong to changes that will be taken back. */
static void forget_fresh(struct forced_order *w)
{
    for (uint32_t rank; (rank = dirty_take(&w->dirty)) != ID_NONE;)
        for (uint32_t g = 0; g < w->graphs; g++)
            w->graph[g].fresh[w->by_rank[rank]] = 0;
}

static bool close(struct forced_order *w, bool rules)
{
    for (uint32_t rank; w->conflict == ID_NONE && (rank = dirty_take(&w->dirty)) != ID_NONE;) {
        uint32_t e = w->by_rank[rank];
        budget_tick(w->budget);
        for (uint32_t g = 0; g < w->graphs; g++) {
            uint64_t fresh = w->graph[g].fresh[e];
            if (!fresh)
                continue;
            w->graph[g].fresh[e] = 0;
            w->stats->steps++;
            pass_on(w, g, e, fresh);
            if (rules)
                apply_rules(w, g, e, fresh);
        }
    }
    if (w->conflict == ID_NONE)
        return true;
    forget_fresh(w);
    return false;
}

bool forced_close(struct forced_order *w)
{
    return close(w, true);
}

bool forced_close_fixed(struct forced_order *w)
{
    return close(w, false);
}

/* ---- taking back ---- */

struct forced_mark forced_mark(struct forced_order *w)
{
    w->trailing = true;
    return (struct forced_mark){w->trail.n, w->edges.n};
}

void forced_undo(struct forced_order *w, struct forced_mark mark)
{
    while (w->trail.n > mark.trail) {
        struct forced_change change = vec_pop(&w->trail);
        *change.cell = change.old;
    }
    while (w->edges.n > mark.edges) {
        struct forced_edge edge = vec_pop(&w->edges);
        w->out[edge.from] = edge.next_out;
        w->in[edge.to] = edge.next_in;
    }
    w->conflict = ID_NONE;
}

/* ---- construction ---- */

/* wr, of other threads only if `external`; and a read of the initial value precedes all writes. */
static void fix_reads(struct forced_order *w, struct edges *f, bool external)
{
    const struct rw *v = w->v;
    for (uint32_t read = 0; read < v->a; read++) {
        if (!(v->kind[read] & RW_READS))
            continue;
        uint32_t e = rw_event(v, read), x = v->var[read];
        if (v->src[read] < RW_THIN) {
            uint32_t source = rw_event(v, v->src[read]);
            if (!external || v->thread[source] != v->thread[e])
                edges_add(f, source, e);
            continue;
        }
        for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
            uint32_t first = rw_first_write(v, g);
            if (first != e)
                edges_add(f, e, first);
        }
    }
}

/* The frame's edges, and those of the reads. */
static void fix_edges(struct forced_order *w, struct forced_graph *g, const struct frame *frame)
{
    const struct rw *v = w->v;
    struct edges f = {.m = w->m};
    fix_reads(w, &f, frame->external);
    for (uint32_t e = 0; e < v->n; e++)
        for (uint32_t i = frame->fixed_at[e]; i < frame->fixed_at[e + 1]; i++)
            edges_add(&f, e, frame->fixed[i]);
    struct groups out = edges_out(&f, v->n);
    g->fixed_at = out.at;
    g->fixed = out.list;
    mem_free(w->m, frame->fixed_at);
    mem_free(w->m, frame->fixed);
}

static void init_graph(struct forced_order *w, struct forced_graph *g, const struct frame *frame)
{
    const struct rw *v = w->v;
    g->chains = frame->chains;
    fix_edges(w, g, frame);
    g->clock = mem_new_zero(w->m, uint32_t, (size_t)v->n * g->lanes);
    g->fresh = mem_new(w->m, uint64_t, v->n);
    memset(g->fresh, 0xFF, v->n * sizeof *g->fresh);
    uint32_t groups = v->groups_of[v->d];
    g->hint = mem_new_zero(w->m, uint32_t, (size_t)groups * v->k);
    g->write_at = mem_new(w->m, uint32_t, v->writes);
    g->group_lane = mem_new(w->m, uint32_t, groups);
    for (uint32_t i = 0; i < groups; i++)
        for (uint32_t j = v->groups[i].from; j < v->groups[i + 1].from; j++) {
            uint32_t e = rw_write(v, i, j);
            g->write_at[j] = g->chains.at[e];
            g->group_lane[i] = g->lane[e];
        }
    for (uint32_t e = 0; e < v->n; e++)
        if (g->chains.at[e] != ID_NONE)
            clock_of(g, e)[g->lane[e]] = g->chains.at[e];
        else
            g->fresh[e] = 0;
}

void forced_init(struct forced_order *w, const struct rw *v, enum buffering memory, const uint32_t *order,
                 const uint32_t *position, struct mem *m, struct budget *budget, struct stats *stats)
{
    struct frames frames;
    frames_init(&frames, v, memory, m);
    *w = (struct forced_order){.v = v, .m = m, .budget = budget, .stats = stats, .graphs = frames.count};
    w->rank = position;
    w->by_rank = order;
    w->conflict = ID_NONE;
    w->last_readers = last_readers(v, m);
    w->out = mem_new_ids(m, v->n);
    w->in = mem_new_ids(m, v->n);
    w->dirty = dirty_new(m, v->n);
    for (uint32_t rank = 0; rank < v->n; rank++)
        dirty_add(&w->dirty, rank);
    w->graph[0].lane = frames.frame[0].chains.of;
    w->graph[0].lanes = frames.frame[0].chains.count;
    w->graph[1].lane = v->thread; /* events of different variables never meet, so threads are lanes enough */
    w->graph[1].lanes = v->k;
    for (uint32_t g = 0; g < frames.count; g++)
        init_graph(w, &w->graph[g], &frames.frame[g]);
}
