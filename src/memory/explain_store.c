/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/explain_store.h"

#include <assert.h>

void store_cycle_causes(void *arg, struct paths *p, uint32_t e)
{
    const struct store_cycle *y = arg;
    const struct rw *v = y->x->v;
    explaining_offer(y->x, p, e);
    if (!(v->kind[e] & RW_WRITES))
        return;
    const uint32_t *need = partial_row(y->store, e);
    uint32_t lanes_of_thread = y->store->lanes / v->k;
    for (uint32_t l = 0; l < y->store->lanes; l++)
        if (need[l])
            path_offer(p, v->base[l / lanes_of_thread] + need[l] - 1, e);
}

/* False: they are no pair. */
static bool explain_pair(struct store_cycle *y, uint32_t from, uint32_t to, struct store_pair *pair)
{
    const struct rw *v = y->x->v;
    *pair = (struct store_pair){.from = from, .to = to, .read = ID_NONE};
    if (from == RW_INIT)
        return true;
    return (v->kind[from] & RW_WRITES) && v->var[from] == v->var[to] && y->explain(y->arg, pair);
}

/* An edge of the cycle is a pair, or leads from a read of a pair's first write to its second. */
static struct store_pair pair_of(struct store_cycle *y, struct path_edge edge)
{
    struct store_pair pair;
    if (!explain_pair(y, edge.from, edge.to, &pair)) {
        bool found = explain_pair(y, y->x->v->src[edge.from], edge.to, &pair);
        assert(found);
        (void)found;
    }
    return pair;
}

static struct ground pair_ground(struct store_cycle *y, const struct store_pair *pair)
{
    const struct rw *v = y->x->v;
    bool cf = pair->read != ID_NONE;
    assay_rule rule = cf ? ASSAY_CF : ASSAY_WW;
    hb_reasons_path(y->hb, pair->from, cf ? pair->read : pair->to, pair->path);
    return (struct ground){rule, evidence_reason(y->x->ev, rule, v->op[pair->from], v->op[pair->to],
                                                 cf ? v->op[pair->read] : ASSAY_NO_OPERATION)};
}

static struct ground ground_of(struct store_cycle *y, struct path_edge edge, const struct store_pair *pair)
{
    const struct rw *v = y->x->v;
    if (pair->from != RW_INIT) {
        struct ground ground = pair_ground(y, pair);
        if (pair->from == edge.from)
            return ground;
        explaining_step(y->x, ground.rule, pair->from, pair->to, ground.reason);
    }
    uint32_t read = v->op[edge.from];
    return (struct ground){ASSAY_RW, evidence_reason(y->x->ev, ASSAY_RW, read, v->op[edge.to], read)};
}

void store_cycle_write(struct store_cycle *y, const struct path_edge *edges, uint32_t count)
{
    struct mem *m = y->x->job->mem;
    struct store_pair *pairs = mem_new(m, struct store_pair, count);
    struct ground *grounds = mem_new(m, struct ground, count);
    for (uint32_t i = 0; i < count; i++)
        if (!explaining_is_fact(y->x, edges[i], &grounds[i]))
            pairs[i] = pair_of(y, edges[i]);
    hb_reasons_write(y->hb);
    for (uint32_t i = 0; i < count; i++)
        if (!explaining_is_fact(y->x, edges[i], &grounds[i]))
            grounds[i] = ground_of(y, edges[i], &pairs[i]);
    explaining_path(y->x, edges[0].from, edges[0].from, edges, count, grounds);
    evidence_cycle(y->x->ev, PATTERN_ForcedCycle);
}
