/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/supposed.h"

#include "transaction/part.h"
#include "transaction/recorded.h"

struct supposing {
    const history *h;
    const struct txn_view *v;
    uint32_t *order, *place; /* the transactions as recorded; of each: how many come before it */
    struct mem *m;
};

static void note_places(struct supposing *x)
{
    x->order = recorded_order(x->v, x->h, x->m);
    x->place = mem_new(x->m, uint32_t, (size_t)x->v->n + 1);
    for (uint32_t i = 0; i < x->v->n; i++)
        x->place[x->order[i]] = i;
}

static struct txn_view *with_times(const struct txn_view *v, struct mem *m)
{
    struct txn_view *timed = mem_new(m, struct txn_view, 1);
    *timed = *v;
    timed->ended = mem_new(m, uint32_t, (size_t)v->n + 1);
    timed->ended_before = mem_new_zero(m, uint32_t, (size_t)v->n + 1);
    timed->ended_count = 0;
    return timed;
}

/* The transaction before t in its chain, or ID_NONE. */
static uint32_t chain_before(const struct txn_view *v, uint32_t t)
{
    return t > v->base[v->chain[t]] ? t - 1 : ID_NONE;
}

/* ---- recorded as they end, or as they begin ---- */

/* An unknown transaction has no end. */
static struct txn_view *recorded_by_ends(const struct supposing *x)
{
    struct txn_view *v = with_times(x->v, x->m);
    uint32_t *with = mem_new(x->m, uint32_t, (size_t)v->n + 1); /* of a transaction: how many ended no later than it */
    for (uint32_t i = 0; i < v->n; i++) {
        uint32_t t = x->order[i], before = chain_before(v, t);
        v->ended_before[t] = before == ID_NONE ? 0 : with[before];
        if (!history_pending(x->h, v->op[t]))
            v->ended[v->ended_count++] = t;
        with[t] = v->ended_count;
    }
    mem_free(x->m, with);
    return v;
}

static struct txn_view *recorded_by_begins(const struct supposing *x)
{
    struct txn_view *v = with_times(x->v, x->m);
    for (uint32_t i = 0; i < v->n; i++) {
        uint32_t t = x->order[i], before = chain_before(v, t);
        if (before != ID_NONE)
            v->ended[v->ended_count++] = before;
        v->ended_before[t] = v->ended_count;
    }
    return v;
}

/* Reads whose transaction ended before their source began. */
static uint32_t contradictions(const struct txn_view *v, struct mem *m)
{
    uint32_t count = 0, *end = mem_new_ids(m, (size_t)v->n + 1);
    for (uint32_t i = 0; i < v->ended_count; i++)
        end[v->ended[i]] = i;
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
            count += v->reads[i].source != TXN_INIT && end[t] < v->ended_before[v->writer[v->reads[i].source]];
    mem_free(m, end);
    return count;
}

static const struct txn_view *by_sessions(const struct supposing *x)
{
    struct txn_view *v = recorded_by_ends(x);
    if (!contradictions(v, x->m))
        return v;
    v = recorded_by_begins(x);
    return contradictions(v, x->m) ? NULL : v;
}

/* ---- without sessions ---- */

/* How far a source is recorded behind a read of it, at most. */
static uint32_t farthest_source(const struct supposing *x)
{
    const struct txn_view *v = x->v;
    uint32_t most = 0;
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            uint32_t place = v->reads[i].source == TXN_INIT ? 0 : x->place[v->writer[v->reads[i].source]];
            most = place > x->place[t] && place - x->place[t] > most ? place - x->place[t] : most;
        }
    return most;
}

/* Transactions more than `apart` places apart are one after the other. So of apart + 1 chains each has every
 * (apart + 1)-th one. Unknown transactions have no successors: each is a chain of its own. */
static const struct txn_view *by_distance(const struct supposing *x, uint32_t apart)
{
    const struct txn_view *v = x->v;
    struct txn_view *timed = with_times(v, x->m);
    uint32_t *ended_by = mem_new(x->m, uint32_t, (size_t)v->n + 1), *chain = mem_new(x->m, uint32_t, (size_t)v->n + 1);
    uint32_t k = apart + 1;
    for (uint32_t i = 0; i < v->n; i++) {
        bool unknown = history_pending(x->h, v->op[x->order[i]]);
        ended_by[i] = timed->ended_count;
        timed->ended_before[x->order[i]] = i > apart ? ended_by[i - apart] : 0;
        chain[i] = unknown ? k++ : timed->ended_count % (apart + 1);
        if (!unknown)
            timed->ended[timed->ended_count++] = x->order[i];
    }
    struct groups chains = group_by(chain, v->n, k, x->m);
    for (uint32_t i = 0; i < v->n; i++)
        chains.list[i] = x->order[chains.list[i]];
    mem_free(x->m, chain);
    mem_free(x->m, ended_by);
    return txn_part(timed, &chains, k, x->m);
}

const struct txn_view *supposed_times(const history *h, const struct txn_view *v, struct mem *m, assay_error *e)
{
    enum { FEW = 2, MARGIN = 16 };
    if (h->call)
        return v->chosen || v->part ? NULL : txn_view(h, BASE_REALTIME, 0, m, e);
    struct supposing x = {.h = h, .v = v, .m = m};
    note_places(&x);
    if (v->n >= (uint64_t)v->k * FEW)
        return by_sessions(&x);
    uint64_t apart = (uint64_t)farthest_source(&x) + MARGIN;
    return apart * FEW < v->n ? by_distance(&x, (uint32_t)apart) : NULL;
}
