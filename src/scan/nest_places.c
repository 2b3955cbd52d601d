/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the operations in a linearization, after all values were peeled off.
 *
 * Let Z be the gaps used up to the round in which v was taken. No gap of Z lies where v covers, except the gaps of v's
 * own peeks. Let g be the last gap of Z that the push spans, and h the first gap of Z that the pop spans. Then one of
 * two cases holds:
 * - No other gap of Z lies between g and h, except gaps of v's peeks.
 * - h is not after g. Then both operations span h, and v is pushed and popped there.
 * Values taken later are confined in the same way by a larger Z, so that intervals nest.
 *
 * Rounds are taken back from the last one, and their gaps with them. The gaps that remain are Z. The nearest gap of Z
 * is found by joining the gaps that are gone with their neighbours. */
#include "scan/nest.h"

static uint32_t find(uint32_t *to, uint32_t gap)
{
    while (to[gap] != gap)
        gap = to[gap] = to[to[gap]];
    return gap;
}

static uint32_t clamp_gap(uint32_t gap, uint32_t low, uint32_t high)
{
    return gap < low ? low : gap > high ? high : gap;
}

struct nest_places nest_places(struct nest *x)
{
    struct nest_places at = {.push = mem_new(x->m, uint32_t, x->values + 1),
                             .pop = mem_new(x->m, uint32_t, x->values + 1),
                             .peek = mem_new(x->m, uint32_t, x->peeks + 1)};
    uint32_t *before = mem_new(x->m, uint32_t, x->n + 1), *after = mem_new(x->m, uint32_t, x->n + 1);
    for (uint32_t gap = 0; gap <= x->n; gap++)
        before[gap] = after[gap] = gap;
    for (uint32_t i = 0; i < x->n; i++) { /* at first: the last gap of the push, the first gap of the pop */
        enum nest_kind kind = nest_kind(x->events[i]);
        if (kind == NEST_OPEN || kind == NEST_PUSH_END)
            at.push[nest_id(x->events[i])] = i;
        else if (kind == NEST_CLOSE || kind == NEST_POP_BEGIN)
            at.pop[nest_id(x->events[i])] = i + 1;
    }
    struct groups peeks_of = {0};
    if (x->peeks)
        peeks_of = group_by(x->owner, x->peeks, x->values, x->m);
    for (uint32_t k = x->taken_n; k-- > 0;) {
        uint32_t v = x->taken[k];
        while (x->used_n && x->gap_round[x->used[x->used_n - 1]] > x->value_round[v]) {
            uint32_t gap = x->used[--x->used_n];
            before[gap] = gap - 1;
            after[gap] = gap + 1;
        }
        at.push[v] = find(before, at.push[v]);
        at.pop[v] = find(after, at.pop[v]);
        if (at.push[v] > at.pop[v])
            at.push[v] = at.pop[v];
        for (uint32_t i = x->peeks ? peeks_of.at[v] : 0; x->peeks && i < peeks_of.at[v + 1]; i++) {
            uint32_t p = peeks_of.list[i];
            at.peek[p] = clamp_gap(find(after, x->peek_begin[p] + 1), at.push[v], at.pop[v]);
        }
        budget_tick(x->budget);
    }
    return at;
}
