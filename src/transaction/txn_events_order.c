/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/txn_events_order.h"

static uint32_t unplaced(void *arg, uint32_t e)
{
    struct txn_events_order *x = arg;
    return advance_unplaced_source(&x->sort, x->rw, e);
}

static uint32_t deeper(const struct txn_events_order *x, uint32_t depth, uint32_t before)
{
    return x->depth[before] >= depth ? x->depth[before] + 1 : depth;
}

static void place(void *arg, uint32_t e)
{
    struct txn_events_order *x = arg;
    const struct rw *v = x->rw;
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

bool txn_events_sort(struct txn_events_order *x, const struct txn_events *s, struct mem *m, struct budget *budget)
{
    const struct rw *v = &s->rw;
    *x = (struct txn_events_order){.rw = v};
    x->order = mem_new(m, uint32_t, (size_t)v->n + 1);
    x->rank = mem_new(m, uint32_t, (size_t)v->n + 1);
    x->depth = mem_new(m, uint32_t, (size_t)v->n + 1);
    advance_init(&x->sort, v, m);
    return advance_sort(&x->sort, unplaced, place, x, budget);
}
