/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/ccm.h"

#include "memory/readers.h"

static uint32_t unplaced_source(const struct ccm *x, uint32_t e)
{
    const struct rw *v = x->c->v;
    bool free = !(v->kind[e] & RW_READS) || v->src[e] >= RW_THIN || advance_placed(&x->sort, v->src[e]);
    return free ? ID_NONE : v->src[e];
}

static uint32_t unplaced_in_hb(void *arg, uint32_t e)
{
    struct ccm *x = arg;
    uint32_t source = unplaced_source(x, e);
    for (uint32_t i = x->into.at[e]; source == ID_NONE && i < x->into.at[e + 1]; i++)
        if (!advance_placed(&x->sort, x->into.list[i]))
            return x->into.list[i];
    return source;
}

static void place_in_hb(void *arg, uint32_t e)
{
    struct ccm *x = arg;
    x->force.stats->steps++;
    pasts_place(&x->hb, e, &x->into);
}

static uint32_t unplaced_in_store(void *arg, uint32_t e)
{
    struct ccm *x = arg;
    const struct rw *v = x->c->v;
    uint32_t source = unplaced_source(x, e);
    if (source != ID_NONE || !(v->kind[e] & RW_WRITES))
        return source;
    uint32_t t = partial_missing(&x->store, e, x->sort.done);
    return t == ID_NONE ? ID_NONE : v->base[t] + partial_row(&x->store, e)[t] - 1;
}

static void place_in_store(void *arg, uint32_t e)
{
    struct ccm *x = arg;
    (void)e;
    x->force.stats->steps++;
}

static bool sort(struct ccm *x, uint32_t (*blocker)(void *, uint32_t), void (*place)(void *, uint32_t))
{
    x->sort.blocker = blocker;
    x->sort.place = place;
    x->sort.arg = x;
    x->sort.budget = x->force.budget;
    advance_reset(&x->sort);
    advance_raise_all(&x->sort);
    return advance_run(&x->sort);
}

enum ccm_verdict ccm_check(struct ccm *x, const struct causal *c, struct mem *m, struct budget *budget,
                           struct stats *stats)
{
    const struct rw *v = c->v;
    uint32_t read, later;
    *x = (struct ccm){.c = c};
    force_init(&x->force, v, m, budget, stats);
    for (x->thread = 0; x->thread < v->k; x->thread++)
        if (observe_edges(&x->force, c, x->thread, &read, &later) != OBSERVED_FINE)
            return CCM_THREAD;
    x->into = force_into(&x->force, 0, m);
    advance_init(&x->sort, v, m);
    pasts_init(&x->hb, v, PAST_PO, NULL, m);
    if (!sort(x, unplaced_in_hb, place_in_hb))
        return CCM_HB;
    stats->clock_rows += x->hb.count;
    struct groups readers = last_readers(v, m);
    struct partial_pairs pairs = {.before = &x->hb, .seen = {&x->hb}};
    partial_build(&x->store, v, &pairs, &readers, v->k, v->thread, m, budget, stats);
    groups_free(&readers, m);
    return sort(x, unplaced_in_store, place_in_store) ? CCM_FINE : CCM_STORE;
}
