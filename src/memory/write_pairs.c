/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/write_pairs.h"

#include <string.h>

bool known_final(const void *arg, uint32_t v, uint32_t w)
{
    const struct rw *view = arg;
    (void)v;
    return view->final && view->final[view->var[w]] == w;
}

static uint64_t key_of(uint32_t v, uint32_t w)
{
    return (uint64_t)v << 32 | w;
}

static bool add(struct pairs *p, uint32_t v, uint32_t w, const uint32_t *rank, struct mem *m)
{
    if (p->fixed.stored(p->fixed.arg, v, w)) {
        p->fixed_wins[v]++;
    } else if (p->fixed.stored(p->fixed.arg, w, v)) {
        p->fixed_wins[w]++;
    } else {
        struct open_pair pair = rank[v] < rank[w] ? (struct open_pair){v, w} : (struct open_pair){w, v};
        *idmap_at(m, &p->number, key_of(pair.first, pair.second)) = p->open.n;
        vec_push(m, &p->open, pair);
    }
    return p->open.n <= p->most;
}

bool pairs_init(struct pairs *p, const struct rw *v, const struct groups *order, const uint32_t *rank,
                struct known_order fixed, uint64_t most, struct mem *m, struct budget *budget)
{
    *p = (struct pairs){.v = v, .fixed = fixed, .most = most};
    p->fixed_wins = mem_new_zero(m, uint32_t, v->n);
    for (uint32_t x = 0; x < v->d; x++)
        for (uint32_t i = order->at[x]; i < order->at[x + 1]; i++)
            for (uint32_t j = i + 1; j < order->at[x + 1]; j++) {
                budget_tick(budget);
                if (!add(p, order->list[i], order->list[j], rank, m))
                    return false;
            }
    p->value = mem_new_zero(m, bool, p->open.n);
    p->wins = mem_new(m, uint32_t, v->n);
    p->slot = mem_new(m, uint32_t, v->n);
    return true;
}

int pairs_literal(const struct pairs *p, uint32_t v, uint32_t w)
{
    uint32_t number = idmap_get(&p->number, key_of(v, w));
    if (number != ID_NONE)
        return (int)number + 1;
    number = idmap_get(&p->number, key_of(w, v));
    return number != ID_NONE ? -(int)number - 1 : 0;
}

void pairs_count(struct pairs *p)
{
    memcpy(p->wins, p->fixed_wins, p->v->n * sizeof *p->wins);
    for (uint32_t i = 0; i < p->open.n; i++)
        p->wins[p->value[i] ? p->open.at[i].first : p->open.at[i].second]++;
}

bool pairs_before(const struct pairs *p, uint32_t v, uint32_t w)
{
    int literal = pairs_literal(p, v, w);
    if (!literal)
        return p->fixed.stored(p->fixed.arg, v, w);
    return literal > 0 ? p->value[literal - 1] : !p->value[-literal - 1];
}

bool pairs_sort(struct pairs *p, uint32_t x, struct groups *order)
{
    uint32_t *writes = order->list + order->at[x], count = order->at[x + 1] - order->at[x];
    memset(p->slot, 0xFF, count * sizeof *p->slot);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *slot = &p->slot[count - 1 - p->wins[writes[i]]];
        if (*slot != ID_NONE)
            return false;
        *slot = writes[i];
    }
    memcpy(writes, p->slot, count * sizeof *writes);
    return true;
}
