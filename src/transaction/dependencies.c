/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/dependencies.h"

void dependencies_init(struct dependencies *d, const struct job *job)
{
    const struct txn_view *v = job->txns;
    *d = (struct dependencies){.h = job->h,
                               .v = v,
                               .m = job->mem,
                               .budget = job->budget,
                               .stats = &job->out->stats,
                               .impossible = ID_NONE,
                               .two_sources = ID_NONE};
    d->order = mem_new(d->m, uint32_t, (size_t)v->n + 1);
    advance_init_lanes(&d->sort, (struct lanes){v->k, v->base, v->chain}, d->m);
}

/* The transactions that ended before t began are a beginning of the row of all that ended: a position is enough. */
static uint32_t unplaced_ended(struct dependencies *d, uint32_t t)
{
    for (; d->ended < d->v->ended_before[t]; d->ended++)
        if (!advance_placed(&d->sort, d->v->ended[d->ended]))
            return d->v->ended[d->ended];
    return ID_NONE;
}

static uint32_t unplaced_version(const struct dependencies *d, uint32_t t)
{
    for (uint32_t w = d->v->writes_at[t]; w < d->v->writes_at[t + 1]; w++) {
        uint32_t before = txn_version_before(d->v, w);
        if (before != ID_NONE && !advance_placed(&d->sort, before))
            return before;
    }
    return ID_NONE;
}

static uint32_t unplaced(void *arg, uint32_t t)
{
    struct dependencies *d = arg;
    const struct txn_view *v = d->v;
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
        uint32_t source = dependencies_source(v, &v->reads[i]);
        if (source != TXN_INIT && !advance_placed(&d->sort, source))
            return source;
    }
    uint32_t before = ID_NONE;
    if (v->before.at[t] < v->before.at[t + 1])
        before = advance_first_unplaced(&d->sort, v->before.list + v->before.at[t],
                                        v->before.at[t + 1] - v->before.at[t]);
    if (before == ID_NONE && v->ended)
        before = unplaced_ended(d, t);
    if (before == ID_NONE && v->version)
        before = unplaced_version(d, t);
    if (before != ID_NONE || !d->into.at)
        return before;
    for (uint32_t i = d->into.at[t]; i < d->into.at[t + 1]; i++)
        if (!advance_placed(&d->sort, d->into.list[i]))
            return d->into.list[i];
    return ID_NONE;
}

static void place(void *arg, uint32_t t)
{
    struct dependencies *d = arg;
    d->order[d->placed++] = t;
    if (d->place)
        d->place(d, t);
}

/* Of each transaction: those that forced orders put before it. */
static void group_forced(struct dependencies *d)
{
    uint32_t n = d->v->n;
    groups_free(&d->into, d->m);
    if (!d->forced.n)
        return;
    uint32_t *at = mem_new_zero(d->m, uint32_t, (size_t)n + 2);
    for (uint32_t i = 0; i < d->forced.n; i++)
        at[d->forced.at[i].to + 2]++;
    group_starts(at, n);
    d->into = (struct groups){at, mem_new(d->m, uint32_t, d->forced.n)};
    for (uint32_t i = 0; i < d->forced.n; i++)
        d->into.list[at[d->forced.at[i].to + 1]++] = d->forced.at[i].from;
}

bool dependencies_sort(struct dependencies *d)
{
    group_forced(d);
    d->placed = d->ended = 0;
    bool acyclic = advance_sort(&d->sort, unplaced, place, d, d->budget);
    d->stats->steps += d->placed;
    return acyclic;
}
