/* SPDX-License-Identifier: Apache-2.0 */
/* Real time without a pair for each two transactions. The transactions that ended are sorted by their ends, and a
 * beginning of that row ended before a transaction began. Equal times are no order. */
#include "transaction/sessions.h"

#include <stdlib.h>

struct end {
    int64_t time;
    uint32_t txn;
};

static int by_time(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->txn < b->txn ? -1 : a->txn > b->txn;
}

static uint32_t earlier_than(const struct end *ends, uint32_t n, int64_t time)
{
    uint32_t low = 0;
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        if (ends[middle].time < time)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

void sessions_ended(const struct gathered *g, int64_t skew, struct txn_view *v)
{
    const history *h = g->h;
    struct end *ends = mem_new(g->m, struct end, (size_t)v->n + 1);
    uint32_t n = 0;
    for (uint32_t t = 0; t < v->n; t++)
        if (g->outcome[v->op[t]] == OUTCOME_COMMITTED)
            ends[n++] = (struct end){h->ret[v->op[t]], t};
    qsort(ends, n, sizeof *ends, by_time);
    v->ended = mem_new(g->m, uint32_t, (size_t)n + 1);
    v->ended_count = n;
    v->ended_before = mem_new(g->m, uint32_t, (size_t)v->n + 1);
    for (uint32_t i = 0; i < n; i++)
        v->ended[i] = ends[i].txn;
    for (uint32_t t = 0; t < v->n; t++)
        v->ended_before[t] = earlier_than(ends, n, history_widened(h->call[v->op[t]], skew));
    mem_free(g->m, ends);
}
