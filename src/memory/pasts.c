/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pasts.h"

#include "memory/across.h"
#include "memory/chain_clock.h"

#include <string.h>

void pasts_init(struct pasts *p, const struct rw *v, enum past_order order, const struct chains *loc, struct mem *m)
{
    uint32_t chains = order == PAST_LOC ? loc->count : order == PAST_PPO ? 2 * v->k : v->k;
    *p = (struct pasts){.v = v, .m = m, .order = order};
    p->chain_of = order == PAST_LOC ? loc->of : v->thread;
    p->now = mem_new_zero(m, uint32_t, chains); /* row 0 knows nothing */
    p->row_of = mem_new(m, uint32_t, v->n);
    p->room = v->n / 8 + 16;
    p->rows = mem_new(m, uint32_t, (size_t)p->room * v->k);
    memset(p->rows, 0, v->k * sizeof *p->rows);
    p->count = 1;
}

void pasts_free(struct pasts *p)
{
    mem_free(p->m, p->now);
    mem_free(p->m, p->row_of);
    mem_free(p->m, p->rows);
}

static uint32_t copy_row(struct pasts *p, uint32_t row)
{
    if (p->count == p->room) {
        p->room += p->room / 2;
        p->rows = mem_resize(p->m, p->rows, mem_product((size_t)p->room * p->v->k, sizeof *p->rows));
    }
    memcpy(pasts_at(p, p->count), pasts_at(p, row), p->v->k * sizeof *p->rows);
    return p->count++;
}

/* Joins the row with the event w, most often a write, and w's past. */
static uint32_t learn(struct pasts *p, uint32_t row, uint32_t w)
{
    uint32_t t = p->v->thread[w], position = w - p->v->base[t];
    if (pasts_at(p, row)[t] > position)
        return row;
    row = copy_row(p, row);
    clock_join(pasts_at(p, row), pasts_at(p, p->row_of[w]), p->v->k);
    pasts_at(p, row)[t] = position + 1;
    return row;
}

static uint32_t learn_all(struct pasts *p, uint32_t row, uint32_t e, const struct groups *more)
{
    if (p->order != PAST_PROGRAM && reads_from_other_thread(p->v, e))
        row = learn(p, row, p->v->src[e]);
    if (p->order == PAST_PO && p->v->across) {
        uint32_t count;
        const uint32_t *before = across_before(p->v, e, &count);
        for (uint32_t i = 0; i < count; i++)
            row = learn(p, row, before[i]);
    }
    for (uint32_t i = more ? more->at[e] : 0; more && i < more->at[e + 1]; i++)
        row = learn(p, row, more->list[i]);
    return row;
}

static bool covers(const struct pasts *p, uint32_t a, uint32_t b)
{
    uint32_t less = 0;
    for (uint32_t u = 0; u < p->v->k; u++)
        less |= pasts_at(p, a)[u] < pasts_at(p, b)[u];
    return !less;
}

static uint32_t join(struct pasts *p, uint32_t a, uint32_t b)
{
    if (a == b || covers(p, a, b))
        return a;
    if (covers(p, b, a))
        return b;
    uint32_t row = copy_row(p, a);
    clock_join(pasts_at(p, row), pasts_at(p, b), p->v->k);
    return row;
}

/* A barrier, a fence or an rmw, adds all earlier events, and itself, to the past of the thread's later reads. */
static void place_buffered(struct pasts *p, uint32_t e, const struct groups *more)
{
    const struct rw *v = p->v;
    uint32_t t = v->thread[e], *reads = p->now + (size_t)2 * t, *writes = reads + 1;
    if (v->kind[e] == RW_READS) {
        p->row_of[e] = *reads = learn_all(p, *reads, e, more);
        return;
    }
    p->row_of[e] = *writes = learn_all(p, join(p, *writes, *reads), e, more);
    if (v->kind[e] & (RW_READS | RW_FENCE)) {
        *reads = *writes = copy_row(p, *writes);
        pasts_at(p, *reads)[t] = e - v->base[t] + 1;
    }
}

void pasts_place(struct pasts *p, uint32_t e, const struct groups *more)
{
    if (p->order == PAST_PPO) {
        place_buffered(p, e, more);
        return;
    }
    uint32_t chain = p->chain_of[e];
    if (chain != ID_NONE) /* fences have no variable */
        p->row_of[e] = p->now[chain] = learn_all(p, p->now[chain], e, more);
}
