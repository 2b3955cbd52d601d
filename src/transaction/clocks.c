/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/clocks.h"

#include <string.h>

#define MOST_BYTES ((size_t)1 << 32) /* of rows: more would rather swap than end */

enum { FEW_SESSIONS = 64, SHORT_SESSION = 16, LONGEST = UINT16_MAX };

/* Does a transaction come directly after t? Of those that do, lane[t] is 0 at first. */
static void mark_predecessors(struct clocks *c)
{
    const struct txn_view *v = c->v;
    for (uint32_t t = 0; t < v->n; t++)
        c->lane[t] = t + 1 < v->base[v->chain[t] + 1] ? 0 : ID_NONE;
    for (uint32_t i = 0; i < v->reads_at[v->n]; i++)
        if (v->reads[i].source != TXN_INIT)
            c->lane[v->writer[v->reads[i].source]] = 0;
    for (uint32_t i = 0; i < v->before.at[v->n]; i++)
        c->lane[v->before.list[i]] = 0;
    for (uint32_t i = 0; i < v->ended_count; i++)
        c->lane[v->ended[i]] = 0;
}

void clocks_init(struct clocks *c, const struct txn_view *v, struct mem *m)
{
    *c = (struct clocks){.v = v, .m = m, .by_session = v->k <= FEW_SESSIONS && v->k <= v->n / SHORT_SESSION};
    c->lane = mem_new(m, uint32_t, (size_t)v->n + 1);
    c->place = mem_new(m, uint32_t, (size_t)v->n + 1);
    c->row_at = mem_new(m, size_t, (size_t)v->n + 1);
    c->width = mem_new(m, uint32_t, (size_t)v->n + 1);
    mark_predecessors(c);
}

void clocks_load(const struct clocks *c, uint32_t t, uint32_t *restrict row)
{
    const uint16_t *restrict from = c->entries + c->row_at[t];
    uint32_t width = c->width[t];
    for (uint32_t i = 0; i < width; i++)
        row[i] = from[i];
    memset(row + width, 0, (c->length.n - width) * sizeof *row);
}

void clocks_join(const struct clocks *c, uint32_t t, uint32_t *restrict row)
{
    const uint16_t *restrict from = c->entries + c->row_at[t];
    uint32_t width = c->width[t];
    for (uint32_t i = 0; i < width; i++)
        row[i] = from[i] > row[i] ? from[i] : row[i];
}

/* t and its past precede. */
static void follow(const struct clocks *c, uint32_t t, uint32_t *row)
{
    if (row[c->lane[t]] > c->place[t])
        return; /* they are known already */
    clocks_join(c, t, row);
    row[c->lane[t]] = c->place[t] + 1;
}

/* ---- real time ---- */

static void let_end(struct clocks *c, uint32_t count)
{
    uint32_t *before = c->row; /* which is not in use yet */
    for (; c->ended < count; c->ended++) {
        memcpy(before, c->ended_row, c->length.n * sizeof *before); /* some are placed, so there are lanes */
        follow(c, c->v->ended[c->ended], c->ended_row);
        for (uint32_t i = 0; i < c->length.n; i++)
            if (c->ended_row[i] != before[i]) {
                struct clock_step step = {c->ended + 1, c->ended_row[i]};
                vec_push(c->m, &c->steps.at[i].at, step);
            }
    }
}

/* The clock of the lane when so many had ended. */
static uint32_t clock_when(const struct clocks *c, uint32_t lane, uint32_t ended)
{
    const struct clock_step *steps = c->steps.at[lane].at.at;
    uint32_t low = 0, high = c->steps.at[lane].at.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (steps[middle].ended <= ended)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? steps[low - 1].clock : 0;
}

static void follow_ended(struct clocks *c, uint32_t ended)
{
    for (uint32_t i = 0; i < c->length.n; i++) {
        uint32_t clock = c->ended == ended ? c->ended_row[i] : clock_when(c, i, ended);
        c->row[i] = clock > c->row[i] ? clock : c->row[i];
    }
}

/* ---- lanes ---- */

static uint32_t open_lane(struct clocks *c)
{
    uint32_t lane = c->length.n;
    if (lane == c->lanes_room) {
        c->lanes_room = 2 * lane + FEW_SESSIONS;
        c->row = mem_resize(c->m, c->row, mem_product(c->lanes_room, sizeof *c->row));
        c->ended_row = mem_resize(c->m, c->ended_row, mem_product(c->lanes_room, sizeof *c->ended_row));
    }
    c->row[lane] = c->ended_row[lane] = 0;
    vec_push(c->m, &c->length, 0);
    if (c->v->ended)
        vec_push(c->m, &c->steps, (struct clock_steps){0});
    return lane;
}

/* May a transaction with this row join the lane? */
static bool fits(const struct clocks *c, uint32_t lane)
{
    return c->row[lane] == c->length.at[lane] && c->length.at[lane] < LONGEST;
}

static uint32_t lane_for(struct clocks *c, uint32_t t)
{
    bool first = t == c->v->base[c->v->chain[t]];
    if (!first && fits(c, c->lane[t - 1]))
        return c->lane[t - 1];
    for (uint32_t i = 0; !c->by_session && i < c->length.n; i++)
        if (fits(c, i))
            return i;
    return open_lane(c);
}

/* ---- rows ---- */

static void store(struct clocks *c, uint32_t t)
{
    uint32_t width = c->length.n;
    if (c->room - c->used < width) {
        if (c->used > MOST_BYTES / 2 / sizeof *c->entries)
            escape_raise(ESCAPE_MEMORY_BUDGET);
        c->room = 2 * c->used + width + c->v->n;
        c->entries = mem_resize(c->m, c->entries, mem_product(c->room, sizeof *c->entries));
    }
    const uint32_t *restrict row = c->row;
    uint16_t *restrict to = c->entries + c->used;
    for (uint32_t i = 0; i < width; i++)
        to[i] = (uint16_t)row[i];
    c->row_at[t] = c->used;
    c->width[t] = width;
    c->used += width;
}

void clocks_place(struct clocks *c, uint32_t t)
{
    const struct txn_view *v = c->v;
    if (v->ended)
        let_end(c, v->ended_before[t]);
    if (c->length.n)
        memset(c->row, 0, c->length.n * sizeof *c->row);
    if (v->ended)
        follow_ended(c, v->ended_before[t]);
    if (t > v->base[v->chain[t]])
        follow(c, t - 1, c->row);
    for (uint32_t i = v->before.at[t]; i < v->before.at[t + 1]; i++)
        follow(c, v->before.list[i], c->row);
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        if (v->reads[i].source != TXN_INIT)
            follow(c, v->writer[v->reads[i].source], c->row);
    if (c->lane[t] != ID_NONE) {
        c->lane[t] = lane_for(c, t);
        c->place[t] = c->length.at[c->lane[t]]++;
    }
    store(c, t);
}
