/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/write_pairs.h"

#include <string.h>

bool known_final(const void *arg, uint32_t v, uint32_t w)
{
    const struct rw *view = arg;
    (void)v;
    return view->final && view->final[view->var[w]] == w;
}

static uint64_t key_of(const struct pairs *p, uint32_t v, uint32_t w)
{
    return (uint64_t)p->v->op[v] << 32 | p->v->op[w];
}

static bool add(struct pairs *p, uint32_t v, uint32_t w, const uint32_t *rank, struct mem *m)
{
    uint32_t e = rw_event(p->v, v), f = rw_event(p->v, w);
    if (p->fixed.stored(p->fixed.arg, e, f)) {
        p->fixed_wins[v]++;
    } else if (p->fixed.stored(p->fixed.arg, f, e)) {
        p->fixed_wins[w]++;
    } else {
        int known = pairs_literal(p, e, f);
        bool in_order = known ? known > 0 : rank[e] < rank[f];
        struct open_pair pair = in_order ? (struct open_pair){v, w, 0} : (struct open_pair){w, v, 0};
        if (!known) {
            vec_push(m, &p->shown, p->open.n);
            *idmap_at(m, &p->number, in_order ? key_of(p, e, f) : key_of(p, f, e)) = p->shown.n;
        }
        pair.number = known ? (uint32_t)(known > 0 ? known : -known) : p->shown.n;
        vec_push(m, &p->open, pair);
    }
    return p->open.n <= p->most;
}

bool pairs_init(struct pairs *p, const struct rw *v, const struct groups *order, const uint32_t *rank,
                struct known_order fixed, uint64_t most, struct mem *m, struct budget *budget)
{
    *p = (struct pairs){.v = v, .fixed = fixed, .most = most};
    p->fixed_wins = mem_new_zero(m, uint32_t, v->a);
    for (uint32_t x = 0; x < v->d; x++)
        for (uint32_t i = order->at[x]; i < order->at[x + 1]; i++)
            for (uint32_t j = i + 1; j < order->at[x + 1]; j++) {
                budget_tick(budget);
                if (!add(p, order->list[i], order->list[j], rank, m))
                    return false;
            }
    p->value = mem_new_zero(m, bool, p->shown.n);
    p->wins = mem_new(m, uint32_t, v->a);
    p->slot = mem_new(m, uint32_t, v->a);
    return true;
}

int pairs_literal(const struct pairs *p, uint32_t v, uint32_t w)
{
    uint32_t number = idmap_get(&p->number, key_of(p, v, w));
    if (number != ID_NONE)
        return (int)number;
    number = idmap_get(&p->number, key_of(p, w, v));
    return number != ID_NONE ? -(int)number : 0;
}

void pairs_events(const struct pairs *p, uint32_t number, uint32_t *first, uint32_t *second)
{
    const struct open_pair *pair = &p->open.at[p->shown.at[number - 1]];
    *first = rw_event(p->v, pair->first);
    *second = rw_event(p->v, pair->second);
}

void pairs_count(struct pairs *p)
{
    memcpy(p->wins, p->fixed_wins, p->v->a * sizeof *p->wins);
    for (uint32_t i = 0; i < p->open.n; i++) {
        const struct open_pair *pair = &p->open.at[i];
        p->wins[p->value[pair->number - 1] ? pair->first : pair->second]++;
    }
}

bool pairs_before(const struct pairs *p, uint32_t v, uint32_t w)
{
    uint32_t e = rw_event(p->v, v), f = rw_event(p->v, w);
    int literal = pairs_literal(p, e, f);
    if (!literal)
        return p->fixed.stored(p->fixed.arg, e, f);
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
