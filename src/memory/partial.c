/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/partial.h"

#include <string.h>

struct building {
    struct partial *p;
    const struct partial_pairs *pairs;
    const struct groups *readers;
    uint32_t *known; /* the past of the current write and of its readers */
    struct stats *stats;
};

static void join_past(const struct pasts *past, uint32_t e, uint32_t *known)
{
    uint32_t t = past->v->thread[e], own = pasts_own(past, e);
    own = known[t] > own ? known[t] : own;
    clock_join(known, pasts_row(past, e), past->v->k);
    known[t] = own;
}

static void gather(struct building *b, uint32_t w)
{
    const struct rw *v = b->p->v;
    memset(b->known, 0, v->k * sizeof *b->known);
    join_past(b->pairs->before, w, b->known);
    for (uint32_t i = b->readers->at[w]; i < b->readers->at[w + 1]; i++) {
        uint32_t r = b->readers->list[i];
        if (b->pairs->external && v->thread[r] == v->thread[w])
            continue;
        for (uint32_t s = 0; s < 2 && b->pairs->seen[s]; s++)
            join_past(b->pairs->seen[s], r, b->known);
    }
}

static void wait_for(struct building *b, uint32_t *row, uint32_t e)
{
    uint32_t *entry = &row[b->p->lane[e]], end = e - b->p->v->base[b->p->v->thread[e]] + 1;
    *entry = *entry > end ? *entry : end;
}

static void wait_for_readers(struct building *b, uint32_t *row, uint32_t source, uint32_t w)
{
    for (uint32_t i = b->readers->at[source]; i < b->readers->at[source + 1]; i++)
        if (b->readers->list[i] != w)
            wait_for(b, row, b->readers->list[i]);
}

/* The last write of the group that is known, other than w; or ID_NONE. */
static uint32_t last_known(struct building *b, uint32_t group, uint32_t w)
{
    const struct rw *v = b->p->v;
    uint32_t u = v->groups[group].thread;
    uint32_t at = rw_last_before(v, group, b->known[u]);
    b->stats->lookups++;
    if (at != ID_NONE && v->base[u] + at == w)
        at = rw_last_before(v, group, at);
    return at == ID_NONE ? ID_NONE : v->base[u] + at;
}

static void fill_row(struct building *b, uint32_t w, uint32_t *row)
{
    const struct rw *v = b->p->v;
    uint32_t x = v->var[w];
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
        uint32_t last = last_known(b, g, w);
        if (last == ID_NONE)
            continue;
        wait_for(b, row, last);
        wait_for_readers(b, row, last, w);
    }
}

void partial_build(struct partial *p, const struct rw *v, const struct partial_pairs *pairs,
                   const struct groups *readers, uint32_t lanes, const uint32_t *lane, struct mem *m,
                   struct budget *budget, struct stats *stats)
{
    struct building b = {p, pairs, readers, mem_new(m, uint32_t, v->k), stats};
    *p = (struct partial){.v = v, .lanes = lanes, .lane = lane};
    p->row_of = mem_new(m, uint32_t, v->n);
    p->rows = mem_new_zero(m, uint32_t, (size_t)v->writes * lanes);
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++) /* by variable, so that its writes stay in the cache */
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++) {
            uint32_t w = rw_write(v, g, i);
            uint32_t *row = p->rows + (size_t)i * lanes;
            budget_tick(budget);
            p->row_of[w] = i;
            gather(&b, w);
            fill_row(&b, w, row);
            if (i == v->groups[g].from)
                wait_for_readers(&b, row, v->n + v->var[w], w);
        }
    mem_free(m, b.known);
}
