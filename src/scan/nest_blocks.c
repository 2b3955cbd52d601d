/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/nest_blocks.h"

#include "scan/nest.h"

enum { SHORT_ROW = 4 * NEST_BLOCK };

void nest_blocks_begin(struct nest *x)
{
    if (x->by_steps || x->peeks || x->n < SHORT_ROW)
        return;
    uint32_t n = x->n / NEST_BLOCK + 1;
    x->blocks.at = mem_new_zero(x->m, struct nest_block, n);
    x->blocks.open = mem_new_zero(x->m, uint32_t, x->values);
    x->blocks.close = mem_new_zero(x->m, uint32_t, x->values);
    for (uint32_t b = 0; b < n; b++)
        x->blocks.at[b].stale = true;
}

/* ---- sums ---- */

void nest_blocks_sum(const struct nest *x, uint32_t block)
{
    static const int8_t step[1 << NEST_KIND_BITS] = {[NEST_OPEN] = 1, [NEST_CLOSE] = -1};
    const uint32_t *events = x->events + (size_t)block * NEST_BLOCK;
    int sum = 0, low = NEST_BLOCK;
    for (uint32_t i = 0; i < NEST_BLOCK; i++) {
        sum += x->state[nest_id(events[i])] & NEST_TAKEN ? 0 : step[nest_kind(events[i])];
        low = sum < low ? sum : low;
    }
    x->blocks.at[block].sum = (int8_t)sum;
    x->blocks.at[block].low = (int8_t)low;
    x->blocks.at[block].stale = false;
}

/* ---- lists ---- */

static const uint8_t begins[1 << NEST_KIND_BITS] = {
    [NEST_PUSH_BEGIN] = NEST_PUSH_SEEN, [NEST_POP_BEGIN] = NEST_POP_SEEN, [NEST_CLOSE] = NEST_POP_SEEN};
static const uint8_t ends[1 << NEST_KIND_BITS] = {
    [NEST_PUSH_END] = NEST_PUSH_SEEN, [NEST_OPEN] = NEST_PUSH_SEEN, [NEST_POP_END] = NEST_POP_SEEN};

/* Adds the event if it begins an operation that has not been seen to end, and need be placed. Only the pops that never
 * happened are placed so far. */
static inline void list_event(struct nest *x, uint32_t event)
{
    uint8_t *state = &x->state[nest_id(event)], seen = begins[nest_kind(event)];
    bool done = *state & seen || (seen == NEST_POP_SEEN && *state & NEST_POP_PLACED);
    *state &= (uint8_t)~seen;
    x->blocks.running.at[x->blocks.running.n] = event; /* there is room: no branch is needed */
    x->blocks.running.n += seen && !done;
}

/* The list of block b, from that of an earlier block. */
static void list_block(struct nest *x, uint32_t b, const struct nest_block *before, uint32_t from)
{
    struct nest_blocks *blocks = &x->blocks;
    uint32_t to = b * NEST_BLOCK;
    vec_reserve(x->m, &blocks->running, before->running_n + to - from + 1);
    for (uint32_t i = from; i < to; i++)
        x->state[nest_id(x->events[i])] |= ends[nest_kind(x->events[i])];
    blocks->at[b].running = blocks->running.n;
    for (uint32_t i = 0; i < before->running_n; i++)
        list_event(x, blocks->running.at[before->running + i]);
    for (uint32_t i = from; i < to; i++)
        list_event(x, x->events[i]);
    blocks->at[b].running_n = blocks->running.n - blocks->at[b].running;
}

void nest_blocks_list(struct nest *x)
{
    struct nest_block *at = x->blocks.at;
    for (uint32_t b = 1, last = 0; at && b <= x->n / NEST_BLOCK; b++) {
        if ((b - last) * NEST_BLOCK >= at[last].running_n) {
            list_block(x, b, &at[last], last * NEST_BLOCK);
            last = b;
        }
        at[b].listed = last;
    }
}

void nest_blocks_free(struct nest_blocks *b, struct mem *m)
{
    mem_free(m, b->at);
    mem_free(m, b->open);
    mem_free(m, b->close);
    vec_free(m, &b->running);
}
