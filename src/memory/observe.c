/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/observe.h"

#include "memory/chain_clock.h"

#include <string.h>

void observe_init(struct observe *o, const struct causal *c, struct mem *m, struct budget *budget, struct stats *stats)
{
    *o = (struct observe){.c = c};
    force_init(&o->force, c->v, m, budget, stats);
    advance_init(&o->sort, c->v, m);
    o->sources.set = dirty_new(m, c->v->n);
    o->sources.start = mem_new(m, uint32_t, (size_t)c->v->k + 1);
    o->sources.next = mem_new(m, uint32_t, c->v->k);
    advance_init_lanes(&o->sources.sort, (struct lanes){c->v->k, o->sources.start, NULL}, m);
}

enum observation observe_edges(struct force *f, const struct causal *c, uint32_t thread, uint32_t *read,
                               uint32_t *later)
{
    const struct rw *v = c->v;
    uint32_t before = f->edges.n;
    force_begin(f, &c->past);
    for (uint32_t e = v->base[thread]; e < v->base[thread + 1]; e++)
        if (v->kind[e] & RW_READS)
            force_read(f, e);
    enum observation found = force_derive(f, read, later);
    f->stats->forced += f->edges.n - before;
    return found;
}

static uint32_t unplaced(void *arg, uint32_t e)
{
    struct observe *o = arg;
    const struct force *f = &o->force;
    uint32_t source = advance_unplaced_source(&o->sort, o->c->v, e);
    if (source != ID_NONE || !f->edges_of[e])
        return source;
    for (uint32_t i = f->edges_of[e] - 1; i < f->edges.n && f->edges.at[i].w == e; i++)
        if (!advance_placed(&o->sort, f->edges.at[i].v))
            return f->edges.at[i].v;
    return ID_NONE;
}

static void place(void *arg, uint32_t e)
{
    struct observe *o = arg;
    if (o->order)
        o->order[o->placed] = e;
    o->placed++;
}

/* Places D_1, r_1, the events that D_2 adds, r_2, ..., and the events of the thread after its last read. If that fails,
 * every thread on a cycle is asleep. An rmw does not count as part of its own D. But the cycle may run through it, so
 * its goal is raised all the same. */
static bool arrange(struct observe *o)
{
    const struct rw *v = o->c->v;
    const struct force *f = &o->force;
    uint32_t t = o->thread;
    o->sort.blocker = unplaced;
    o->sort.place = place;
    o->sort.arg = o;
    o->sort.budget = f->budget;
    for (uint32_t i = 0; i < f->reads.n; i++) {
        const uint32_t *d = f->downs + (size_t)i * v->k;
        for (uint32_t u = 0; u < v->k; u++)
            advance_raise(&o->sort, u, d[u]);
        bool fine = advance_run(&o->sort);
        advance_raise(&o->sort, t, f->reads.at[i] - v->base[t] + 1);
        if (!advance_run(&o->sort) || !fine) /* the read goes before anything that D of the next one adds */
            return false;
    }
    advance_raise(&o->sort, t, v->base[t + 1] - v->base[t]);
    return advance_run(&o->sort);
}

/* ---- the same without an order ---- */

/* Where threads must have come to before the source: behind its causes, and behind each event of an edge and its
 * causes. */
static void need_of(const struct observe *o, uint32_t source, uint32_t *need)
{
    const struct rw *v = o->c->v;
    const struct force *f = &o->force;
    memcpy(need, pasts_row(f->past, source), v->k * sizeof *need);
    need[v->thread[source]] = pasts_own(f->past, source);
    for (uint32_t i = f->edges_of[source] - 1; i < f->edges.n && f->edges.at[i].w == source; i++)
        force_join(f, need, f->edges.at[i].v);
}

static void next_source(struct observe_sources *s, const struct rw *v, uint32_t u, uint32_t i)
{
    s->next[u] = i < s->start[u + 1] ? s->event[i] - v->base[u] : UINT32_MAX;
}

static void collect_sources(struct observe *o)
{
    const struct rw *v = o->c->v;
    const struct force *f = &o->force;
    struct observe_sources *s = &o->sources;
    uint32_t most = f->reads.n, n = 0, u = 0;
    s->event = mem_new(f->m, uint32_t, most);
    s->thread = mem_new(f->m, uint32_t, most);
    s->start[0] = 0;
    for (uint32_t i = 0; i < f->edges.n; i++)
        dirty_add(&s->set, f->edges.at[i].w);
    for (uint32_t e; (e = dirty_take(&s->set)) != ID_NONE; n++) {
        for (; u < v->thread[e]; u++)
            s->start[u + 1] = n;
        s->event[n] = e;
        s->thread[n] = u;
    }
    for (; u < v->k; u++)
        s->start[u + 1] = n;
    for (u = 0; u < v->k; u++)
        next_source(s, v, u, s->start[u]);
    s->need = mem_new(f->m, uint32_t, (size_t)n * v->k);
    for (uint32_t i = 0; i < n; i++)
        need_of(o, s->event[i], s->need + (size_t)i * v->k);
}

/* The last source before a position that its thread must have come to, but has not. */
static uint32_t unplaced_source(void *arg, uint32_t i)
{
    struct observe *o = arg;
    const struct rw *v = o->c->v;
    struct observe_sources *s = &o->sources;
    const uint32_t *need = s->need + (size_t)i * v->k;
    uint32_t u = clock_missing(s->next, need, v->k);
    if (u == ID_NONE)
        return ID_NONE;
    uint32_t last = s->start[u] + s->sort.done[u];
    while (last + 1 < s->start[u + 1] && s->event[last + 1] - v->base[u] < need[u])
        last++;
    return last;
}

static void place_source(void *arg, uint32_t i)
{
    struct observe *o = arg;
    next_source(&o->sources, o->c->v, o->sources.thread[i], i + 1);
    o->placed++;
}

static bool acyclic(struct observe *o)
{
    struct observe_sources *s = &o->sources;
    struct mem *m = o->force.m;
    collect_sources(o);
    s->sort.lanes.of = s->thread;
    bool acyclic = advance_sort(&s->sort, unplaced_source, place_source, o, o->force.budget);
    mem_free(m, s->event);
    mem_free(m, s->thread);
    mem_free(m, s->need);
    return acyclic;
}

enum observation observe_thread(struct observe *o, uint32_t thread, uint32_t *order, uint32_t *read, uint32_t *later)
{
    o->thread = thread;
    o->order = order;
    o->placed = 0;
    vec_clear(&o->force.edges);
    advance_reset(&o->sort);
    enum observation found = observe_edges(&o->force, o->c, thread, read, later);
    if (found == OBSERVED_FINE && (order || !acyclic(o)) && !arrange(o)) {
        o->force.on_cycle = advance_on_cycle(&o->sort);
        found = OBSERVED_CYCLE;
    }
    o->force.stats->steps += o->placed;
    return found;
}
