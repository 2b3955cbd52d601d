/* SPDX-License-Identifier: Apache-2.0 */
/* Operations as nodes of saturate_matched.c: taking a place, taking part, returning, and being dropped. A dropped node
 * keeps its place until room is needed (saturate_matched_tables.c). */
#include "theory/saturate_matched_private.h"

#include <string.h>

uint32_t matched_take_index(struct matched *p, int of_other)
{
    for (;;) {
        for (uint32_t i = 0; i < p->w; i++)
            if (~p->taken[of_other][i]) {
                uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(~p->taken[of_other][i]);
                bitset_add(p->taken[of_other], at);
                p->used = of_other ? matched_words(p) : p->used;
                return at;
            }
        matched_make_room(p);
    }
}

uint32_t matched_new_pair(struct matched *p, struct value v)
{
    uint32_t pair = matched_take_index(p, 0);
    p->value[pair] = v;
    p->again[pair] = false;
    memset(p->sees + (size_t)pair * p->w, 0, p->w * sizeof *p->sees);
    return pair;
}

static void rank(struct matched *p, uint32_t pair)
{
    size_t w = p->w;
    memset(p->higher + pair * w, 0, w * sizeof *p->higher);
    memset(p->lower + pair * w, 0, w * sizeof *p->lower);
    BITSET_EACH (other, i, p->w, p->active[i]) {
        int64_t a = p->value[pair].bits, b = p->value[other].bits;
        uint64_t *up = p->least_first ? p->lower : p->higher, *down = p->least_first ? p->higher : p->lower;
        bitset_remove(up + other * w, pair);
        bitset_remove(down + other * w, pair);
        if (a != b) {
            bitset_add((b > a ? up : down) + pair * w, other);
            bitset_add((b > a ? down : up) + other * w, pair);
        }
    }
}

/* The node takes part from now on; `past` is closed. */
void matched_activate(struct matched *p, uint32_t node, const uint64_t *past, struct online_op op)
{
    if (p->late_n++ == MATCHED_LATE)
        matched_renew_base(p);
    uint32_t n = matched_words(p);
    uint64_t *before = matched_row(p, p->pred, node), mine = UINT64_C(1) << node % 64;
    uint64_t *column = p->succ + node / 64;
    memset(matched_row(p, p->succ, node), 0, n * sizeof *before);
    memset(before, 0, n * sizeof *before);
    for (uint32_t i = 0; i < p->used; i++) {
        before[i] = past[i] & p->active[i];
        for (uint64_t bits = before[i] & ~p->base[i]; bits; bits &= bits - 1)
            column[(64 * i + (uint32_t)__builtin_ctzll(bits)) * (size_t)n] |= mine;
    }
    if (node < p->cap && p->ranked)
        rank(p, node);
    bitset_add(p->active, node);
    bitset_add(p->late, node);
    bitset_add(p->ahead, node);
    bitset_remove(p->closed, node);
    bitset_add(p->dirty, node);
    p->op[node] = op;
    p->since[node] = ONLINE_NEVER;
}

void matched_complete(struct matched *p, uint32_t node, uint64_t step)
{
    const uint64_t *before = matched_row(p, p->pred, node);
    p->op[node].returned = step;
    p->since[node] = p->since[node] < step ? p->since[node] : step;
    bitset_remove(p->ahead, node);
    matched_add_all(p, p->past, before);
    bitset_add(p->past, node);
    BITSET_EACH (other, i, p->w, before[i] & p->ahead[i]) { /* only adders take part before they return */
        p->since[other] = p->since[other] < step ? p->since[other] : step;
    }
    ring_push(p->mem, &p->settling, ((struct settling){step, node}));
}

static void drop_node(struct matched *p, uint32_t node)
{
    bitset_remove(p->active, node);
    bitset_remove(p->past, node);
    bitset_remove(p->dirty, node);
    bitset_remove(p->ahead, node);
}

void matched_drop_other(struct matched *p, uint32_t node)
{
    uint32_t i = node - 2 * p->cap, pair = p->pair_of[i];
    if (pair == ID_NONE) {
        bitset_remove(p->misses, i);
        p->miss_n--;
    } else {
        uint64_t *sees = p->sees + (size_t)pair * p->w;
        bitset_remove(sees, i);
        if (bitset_next(sees, p->cap, 0) == p->cap)
            bitset_remove(p->has_sees, pair);
    }
    drop_node(p, node);
    bitset_add(p->dropped[1], i);
}

void matched_drop_pair(struct matched *p, uint32_t pair)
{
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i])
        matched_drop_other(p, 2 * p->cap + at);
    if (value_map_get(&p->pairs, p->value[pair]) == pair)
        value_map_drop(p->mem, &p->pairs, p->value[pair]);
    drop_node(p, pair);
    drop_node(p, p->cap + pair);
    bitset_add(p->dropped[0], pair);
}
