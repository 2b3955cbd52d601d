/* SPDX-License-Identifier: Apache-2.0 */
/* The orders that read atomic forces: t3 reads x from t1, t2 writes x, and t2 comes directly before t3 in base order or
 * is a source of t3.
 *
 * Sessions: of the writers of x in t3's session before it, the last one is enough; the others come before that one.
 * Sources: the keys that a source writes and t3 reads, by way of the smaller set.
 * Real time: of all readers of t1's x, the one that began last counts. The writers of x that ended before it come
 * before t1. Of these, the writers that ended before t1 began come first anyway. A writer that began after t1 ended is
 * a contradiction, and ends the walk. The rest overlap with t1. */
#include "transaction/dependencies.h"
#include "transaction/key_set.h"

struct read_key { /* of a key: its source, in transaction `reader` */
    uint32_t reader, source;
};

struct atomic {
    struct dependencies *d;
    struct key_sets sets;
    struct read_key *read; /* of a key */
    uint32_t *reader;      /* of a source: the last transaction that was looked at as its reader */
    uint32_t *last;        /* of a key: its last writer in the session at hand */
    VEC(uint32_t) keys;    /* that the transaction at hand reads */
    struct groups writes;  /* of a key */
    struct groups by_end;  /* of a key: its writers, by their ends */
    uint32_t *end_rank;    /* of a transaction: its place among those that ended, or ID_NONE */
};

/* False: a key was read from two sources. */
static bool note_reads(struct atomic *a, uint32_t t)
{
    const struct txn_view *v = a->d->v;
    vec_clear(&a->keys);
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
        struct read_key *k = &a->read[v->reads[i].key];
        uint32_t source = dependencies_source(v, &v->reads[i]);
        if (k->reader == t && k->source != source)
            return false;
        if (k->reader != t)
            vec_push(a->d->m, &a->keys, v->reads[i].key);
        *k = (struct read_key){t, source};
    }
    return true;
}

/* ---- sessions ---- */

/* t2 comes before t in its session. */
static void force_session(struct atomic *a, uint32_t t, uint32_t x, uint32_t t2)
{
    uint32_t t1 = a->read[x].source;
    bool follows = t1 != TXN_INIT && a->d->v->chain[t1] == a->d->v->chain[t2] && t1 >= t2;
    if (!follows)
        dependencies_force(a->d, t2, t1, t);
}

/* The last writer of x among the transactions of its chain up to t, or ID_NONE. */
static uint32_t last_writer(const struct atomic *a, uint32_t x, uint32_t t)
{
    const struct txn_view *v = a->d->v;
    uint32_t low = a->writes.at[x], high = a->writes.at[x + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v->writer[a->writes.list[middle]] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t last = low > a->writes.at[x] ? v->writer[a->writes.list[low - 1]] : ID_NONE;
    return last != ID_NONE && last >= v->base[v->chain[t]] ? last : ID_NONE;
}

static void force_before(struct atomic *a, uint32_t t)
{
    const struct txn_view *v = a->d->v;
    if (v->before.at[t] == v->before.at[t + 1])
        return;
    if (!a->writes.at)
        a->writes = group_by(v->write_key, v->writes_at[v->n], v->d, a->d->m);
    for (uint32_t i = v->before.at[t]; i < v->before.at[t + 1]; i++)
        for (uint32_t j = 0; j < a->keys.n; j++) {
            uint32_t t2 = last_writer(a, a->keys.at[j], v->before.list[i]);
            if (t2 != ID_NONE && t2 != a->read[a->keys.at[j]].source)
                force_session(a, t, a->keys.at[j], t2);
        }
}

/* ---- sources ---- */

static void force_key(struct atomic *a, uint32_t t, uint32_t t2, uint32_t x)
{
    if (a->read[x].source != t2)
        dependencies_force(a->d, t2, a->read[x].source, t);
}

static void force_source(struct atomic *a, uint32_t t, uint32_t t2)
{
    const struct txn_view *v = a->d->v;
    uint32_t from = v->writes_at[t2], end = v->writes_at[t2 + 1];
    if (end - from <= a->keys.n || end - from <= KEYS_FEW) {
        for (uint32_t w = from; w < end; w++)
            if (a->read[v->write_key[w]].reader == t)
                force_key(a, t, t2, v->write_key[w]);
        return;
    }
    for (uint32_t i = 0; i < a->keys.n; i++)
        if (key_sets_has(&a->sets, t2, a->keys.at[i]))
            force_key(a, t, t2, a->keys.at[i]);
}

static void force_reader(struct atomic *a, uint32_t t)
{
    const struct txn_view *v = a->d->v;
    for (uint32_t i = 0; i < a->keys.n; i++) {
        uint32_t x = a->keys.at[i], t2 = a->last[x], source = a->read[x].source;
        if (t2 != ID_NONE && t2 >= v->base[v->chain[t]] && t2 != source)
            force_session(a, t, x, t2);
        if (source == TXN_INIT || a->reader[source] == t)
            continue;
        a->reader[source] = t;
        if (a->keys.n > 1)
            force_source(a, t, source);
    }
}

/* ---- real time ---- */

static void sort_writers(struct atomic *a)
{
    const struct txn_view *v = a->d->v;
    struct mem *m = a->d->m;
    uint32_t *at = mem_new_zero(m, uint32_t, (size_t)v->d + 2);
    a->end_rank = mem_new_ids(m, (size_t)v->n + 1);
    for (uint32_t w = 0; w < v->writes_at[v->n]; w++)
        at[v->write_key[w] + 2]++;
    group_starts(at, v->d);
    a->by_end = (struct groups){at, mem_new(m, uint32_t, v->writes_at[v->n])};
    for (uint32_t i = 0; i < v->ended_count; i++) {
        uint32_t t = v->ended[i];
        a->end_rank[t] = i;
        for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
            a->by_end.list[at[v->write_key[w] + 1]++] = t;
    }
    for (uint32_t t = 0; t < v->n; t++) /* the others never ended; behind all that did, in any order */
        for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1] && a->end_rank[t] == ID_NONE; w++)
            a->by_end.list[at[v->write_key[w] + 1]++] = t;
}

/* The writers of x that ended before `reader` began come before t1, from which it read x. */
static void force_ended(struct atomic *a, uint32_t x, uint32_t t1, uint32_t reader)
{
    const struct txn_view *v = a->d->v;
    uint32_t from = a->by_end.at[x], end = a->by_end.at[x + 1], low = from;
    uint32_t began = t1 == TXN_INIT ? 0 : v->ended_before[t1];
    while (low < end) { /* the first that did not end before t1 began */
        uint32_t middle = low + (end - low) / 2;
        if (a->end_rank[a->by_end.list[middle]] < began)
            low = middle + 1;
        else
            end = middle;
    }
    for (end = a->by_end.at[x + 1]; low < end; low++) {
        uint32_t t2 = a->by_end.list[low];
        if (a->end_rank[t2] >= v->ended_before[reader])
            return;
        if (t2 == t1)
            continue;
        dependencies_force(a->d, t2, t1, reader);
        if (t1 == TXN_INIT || a->end_rank[t1] < v->ended_before[t2])
            return;
    }
}

static void force_real_time(struct atomic *a)
{
    const struct txn_view *v = a->d->v;
    uint32_t writes = v->writes_at[v->n];
    uint32_t *last = mem_new_ids(a->d->m, (size_t)writes + v->d + 1); /* of a write, or of an initial value */
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            uint32_t w = v->reads[i].source == TXN_INIT ? writes + v->reads[i].key : v->reads[i].source;
            if (last[w] == ID_NONE || v->ended_before[t] > v->ended_before[last[w]])
                last[w] = t;
        }
    sort_writers(a);
    for (uint32_t w = 0; w < writes + v->d && a->d->impossible == ID_NONE; w++) {
        budget_tick(a->d->budget);
        if (last[w] != ID_NONE)
            force_ended(a, w < writes ? v->write_key[w] : w - writes, w < writes ? v->writer[w] : TXN_INIT, last[w]);
    }
    mem_free(a->d->m, last);
}

void force_ra(struct dependencies *d)
{
    const struct txn_view *v = d->v;
    struct atomic a = {.d = d,
                       .sets = key_sets_of(v, d->m),
                       .read = mem_new(d->m, struct read_key, (size_t)v->d + 1),
                       .reader = mem_new_ids(d->m, (size_t)v->n + 1),
                       .last = mem_new_ids(d->m, (size_t)v->d + 1)};
    for (uint32_t x = 0; x < v->d; x++)
        a.read[x].reader = ID_NONE;
    for (uint32_t t = 0; t < v->n && d->impossible == ID_NONE; t++) {
        budget_tick(d->budget);
        if (!note_reads(&a, t)) {
            d->two_sources = t;
            return;
        }
        force_reader(&a, t);
        force_before(&a, t);
        for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
            a.last[v->write_key[w]] = t;
    }
    if (v->ended && d->impossible == ID_NONE)
        force_real_time(&a);
}
