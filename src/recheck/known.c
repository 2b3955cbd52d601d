/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/known.h"

static uint32_t *row(const history *h, uint32_t *past, uint32_t op)
{
    return past + (size_t)op * h->threads.n;
}

static uint32_t *recorded(const history *h, const uint32_t *place, struct mem *m)
{
    uint32_t *past = mem_new_zero(m, uint32_t, mem_product(h->n, h->threads.n));
    for (uint32_t o = 0; o < h->n; o++) {
        row(h, past, o)[h->thread[o]] = place[o];
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++) {
            uint32_t *known = &row(h, past, o)[h->after.at[i].thread];
            *known = *known > h->after.at[i].count ? *known : h->after.at[i].count;
        }
    }
    return past;
}

/* Adds the knowledge of the last known operation of each thread; true if some of it is new. */
static bool learn(const history *h, const struct groups *by, uint32_t *past, uint32_t op, struct budget *budget)
{
    uint32_t k = h->threads.n, *mine = row(h, past, op);
    bool more = false;
    for (uint32_t t = 0; t < k; t++) {
        budget_tick(budget);
        const uint32_t *theirs = mine[t] ? row(h, past, by->list[by->at[t] + mine[t] - 1]) : NULL;
        for (uint32_t u = 0; theirs && u < k; u++)
            if (theirs[u] > mine[u]) {
                mine[u] = theirs[u];
                more = true;
            }
    }
    return more;
}

uint32_t *recheck_known_past(const history *h, const struct groups *by, const uint32_t *place, struct mem *m,
                             struct budget *budget)
{
    uint32_t *past = recorded(h, place, m);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t o = 0; o < h->n; o++)
            again |= learn(h, by, past, o, budget);
    }
    return past;
}
