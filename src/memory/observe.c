/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/observe.h"

void observe_init(struct observe *o, const struct causal *c, struct mem *m, struct budget *budget, struct stats *stats)
{
    *o = (struct observe){.c = c};
    force_init(&o->force, c->v, m, budget, stats);
    advance_init(&o->sort, c->v, m);
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

enum observation observe_thread(struct observe *o, uint32_t thread, uint32_t *order, uint32_t *read, uint32_t *later)
{
    o->thread = thread;
    o->order = order;
    o->placed = 0;
    vec_clear(&o->force.edges);
    advance_reset(&o->sort);
    enum observation found = observe_edges(&o->force, o->c, thread, read, later);
    if (found == OBSERVED_FINE && !arrange(o)) {
        o->force.on_cycle = advance_on_cycle(&o->sort);
        found = OBSERVED_CYCLE;
    }
    o->force.stats->steps += o->placed;
    return found;
}
