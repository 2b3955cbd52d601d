/* SPDX-License-Identifier: Apache-2.0 */
#include "order/observe.h"

#include "order/clock.h"

#include <string.h>

void observe_init(struct observe *o, const struct causal *c, struct mem *m, struct budget *budget,
                  struct stats *stats)
{
    const struct rw *v = c->v;
    *o = (struct observe){.c = c, .m = m, .budget = budget, .stats = stats};
    o->edges_of = mem_new_zero(m, uint32_t, v->n);
    o->active_of = mem_new(m, uint32_t, v->d);
    memset(o->active_of, 0xFF, v->d * sizeof *o->active_of);
    advance_init(&o->sort, v, m);
}

static void forget(struct observe *o)
{
    for (uint32_t i = 0; i < o->reads.n; i++) {
        uint32_t source = o->c->v->src[o->reads.at[i]];
        if (source < RW_THIN)
            o->edges_of[source] = 0;
    }
    for (uint32_t i = 0; i < o->active_count; i++)
        o->active_of[o->c->v->var[o->active[i].source]] = ID_NONE;
    vec_clear(&o->edges);
    vec_clear(&o->reads);
    vec_clear(&o->free_slots);
    o->active_count = o->slots = o->placed = 0;
}

static void list_reads(struct observe *o)
{
    const struct rw *v = o->c->v;
    for (uint32_t e = v->base[o->thread]; e < v->base[o->thread + 1]; e++)
        if (v->kind[e] & RW_READS)
            vec_push(o->m, &o->reads, e);
    size_t needed = (size_t)o->reads.n * v->k;
    if (needed > o->downs_room) {
        o->downs = mem_resize(o->m, o->downs, mem_product(needed, sizeof *o->downs));
        o->downs_room = needed;
    }
}

/* What e knows, and e itself. */
static void join_with(const struct causal *c, uint32_t *restrict d, uint32_t e)
{
    const struct rw *v = c->v;
    uint32_t t = v->thread[e], end = e - v->base[t] + 1;
    uint32_t own = d[t] > end ? d[t] : end;
    clock_join(d, c->rows + (size_t)c->row_of[e] * v->k, v->k);
    d[t] = own;
}

/* Closes D under the rules of later reads; sources that are outside leave active[]. */
static void close_down(struct observe *o, uint32_t *d)
{
    const struct rw *v = o->c->v;
    uint32_t in = 0; /* active[0 .. in-1] are known to be inside */
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = in; i < o->active_count; i++) {
            struct active a = o->active[i];
            if (a.position >= d[a.thread])
                continue;
            clock_join(d, o->joins + (size_t)a.slot * v->k, v->k);
            o->active[i] = o->active[in];
            o->active[in++] = a;
            grown = true;
        }
    }
    for (uint32_t i = in; i < o->active_count; i++) {
        uint32_t source = o->active[i].source, *of = &o->active_of[v->var[source]];
        if (*of == source) /* an rmw was active together with its own source */
            *of = ID_NONE;
        vec_push(o->m, &o->free_slots, o->active[i].slot);
    }
    o->active_count = in;
}

static uint32_t new_slot(struct observe *o)
{
    if (o->free_slots.n)
        return vec_pop(&o->free_slots);
    if (o->slots == o->active_room) {
        o->active_room = o->active_room * 2 + 64;
        o->joins = mem_resize(o->m, o->joins,
                              mem_product((size_t)o->active_room * o->c->v->k, sizeof *o->joins));
        o->active = mem_resize(o->m, o->active, mem_product(o->active_room, sizeof *o->active));
    }
    return o->slots++;
}

/* What the edges to w put before it: from now on w is an active source. */
static void activate(struct observe *o, uint32_t w)
{
    const struct causal *c = o->c;
    const struct rw *v = c->v;
    uint32_t slot = new_slot(o), t = v->thread[w];
    uint32_t *before = o->joins + (size_t)slot * v->k;
    memset(before, 0, v->k * sizeof *before);
    for (uint32_t i = o->edges_of[w] - 1; i < o->edges.n; i++)
        join_with(c, before, o->edges.at[i].v);
    o->active[o->active_count++] = (struct active){w, t, w - v->base[t], slot};
    o->active_of[v->var[w]] = w;
}

/* The rule of read r with source w: every other write of the variable in D comes before w. Those that are
 * causes of w do so anyway and make no edge. */
static void force(struct observe *o, uint32_t r, const uint32_t *d)
{
    const struct causal *c = o->c;
    const struct rw *v = c->v;
    uint32_t w = v->src[r], x = v->var[r], t = v->thread[w], first = o->edges.n;
    const uint32_t *past = c->rows + (size_t)c->row_of[w] * v->k;
    o->edges_of[w] = first + 1;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
        uint32_t u = v->groups[g].thread, done = u == t ? w - v->base[t] + 1 : past[u];
        if (d[u] <= done)
            continue;
        uint32_t at = rw_last_before(v, g, d[u]);
        o->stats->lookups++;
        if (at == ID_NONE || at < done)
            continue;
        struct observed_edge edge = {v->base[u] + at, w, r};
        vec_push(o->m, &o->edges, edge);
    }
    if (o->edges.n > first)
        activate(o, w);
}

static bool initial_precedes(const struct observe *o, uint32_t r, const uint32_t *d, uint32_t *later)
{
    const struct rw *v = o->c->v;
    for (uint32_t g = v->groups_of[v->var[r]]; g < v->groups_of[v->var[r] + 1]; g++) {
        uint32_t u = v->groups[g].thread, first = v->idx[v->groups[g].from];
        if (first < d[u] && v->base[u] + first != r) { /* an rmw before itself is a cycle */
            *later = v->base[u] + first;
            return true;
        }
    }
    return false;
}

/* From the last read to the first. */
static enum observation derive(struct observe *o, uint32_t *read, uint32_t *later)
{
    const struct causal *c = o->c;
    const struct rw *v = c->v;
    for (uint32_t i = o->reads.n; i-- > 0;) {
        uint32_t r = o->reads.at[i], x = v->var[r];
        uint32_t *d = o->downs + (size_t)i * v->k;
        budget_tick(o->budget);
        memcpy(d, c->rows + (size_t)c->row_of[r] * v->k, v->k * sizeof *d);
        uint32_t *own = &d[o->thread], position = r - v->base[o->thread];
        *own = position + 1; /* an rmw may be a source itself: what comes before it counts */
        close_down(o, d);
        if (*own == position + 1)
            *own = position;
        if (v->src[r] == RW_INIT) {
            if (initial_precedes(o, r, d, later)) {
                *read = r;
                return OBSERVED_INITIAL;
            }
            continue;
        }
        if (o->edges_of[v->src[r]])
            continue; /* the last read of the same source has said it all */
        bool rival = o->active_of[x] != ID_NONE && o->active_of[x] != r;
        force(o, r, d);
        if (rival) {
            o->on_cycle = v->src[r];
            return OBSERVED_CYCLE;
        }
    }
    return OBSERVED_FINE;
}

static uint32_t unplaced(void *arg, uint32_t e)
{
    struct observe *o = arg;
    const struct rw *v = o->c->v;
    if ((v->kind[e] & RW_READS) && v->src[e] < RW_THIN && !advance_placed(&o->sort, v->src[e]))
        return v->src[e];
    if (!o->edges_of[e])
        return ID_NONE;
    for (uint32_t i = o->edges_of[e] - 1; i < o->edges.n && o->edges.at[i].w == e; i++)
        if (!advance_placed(&o->sort, o->edges.at[i].v))
            return o->edges.at[i].v;
    return ID_NONE;
}

static void place(void *arg, uint32_t e)
{
    struct observe *o = arg;
    if (o->order)
        o->order[o->placed] = e;
    o->placed++;
}

/* Places D_1, r_1, what D_2 adds, r_2, ..., and what the thread did after its last read. */
static bool arrange(struct observe *o)
{
    const struct rw *v = o->c->v;
    uint32_t t = o->thread;
    o->sort.blocker = unplaced;
    o->sort.place = place;
    o->sort.arg = o;
    o->sort.budget = o->budget;
    for (uint32_t i = 0; i < o->reads.n; i++) {
        const uint32_t *d = o->downs + (size_t)i * v->k;
        for (uint32_t u = 0; u < v->k; u++)
            advance_raise(&o->sort, u, d[u]);
        if (!advance_run(&o->sort))
            return false;
        advance_raise(&o->sort, t, o->reads.at[i] - v->base[t] + 1);
        if (!advance_run(&o->sort)) /* the read goes before anything that D of the next one adds */
            return false;
    }
    advance_raise(&o->sort, t, v->base[t + 1] - v->base[t]);
    return advance_run(&o->sort);
}

enum observation observe_thread(struct observe *o, uint32_t thread, uint32_t *order, uint32_t *read,
                                uint32_t *later)
{
    forget(o);
    o->thread = thread;
    o->order = order;
    advance_reset(&o->sort);
    list_reads(o);
    enum observation found = derive(o, read, later);
    o->stats->forced += o->edges.n;
    if (found == OBSERVED_FINE && !arrange(o)) {
        o->on_cycle = advance_on_cycle(&o->sort);
        found = OBSERVED_CYCLE;
    }
    o->stats->steps += o->placed;
    return found;
}
