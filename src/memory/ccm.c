/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/ccm.h"

#include "memory/readers.h"

static uint32_t unplaced_in_hb(void *arg, uint32_t e)
{
    struct ccm *x = arg;
    uint32_t source = advance_unplaced_source(&x->sort, x->c->v, e), first = x->into.at[e];
    return source != ID_NONE ? source
                             : advance_first_unplaced(&x->sort, x->into.list + first, x->into.at[e + 1] - first);
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
    uint32_t source = advance_unplaced_source(&x->sort, v, e);
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
    if (!advance_sort(&x->sort, unplaced_in_hb, place_in_hb, x, budget))
        return CCM_HB;
    stats->clock_rows += x->hb.count;
    struct groups readers = last_readers(v, m);
    struct partial_pairs pairs = {.before = &x->hb, .seen = {&x->hb}};
    partial_build(&x->store, v, &pairs, &readers, v->k, v->thread, m, budget, stats);
    groups_free(&readers, m);
    return advance_sort(&x->sort, unplaced_in_store, place_in_store, x, budget) ? CCM_FINE : CCM_STORE;
}
