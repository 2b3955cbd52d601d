/* SPDX-License-Identifier: Apache-2.0 */
/* The orders that read committed forces: t3 read from t2 before it read x from t1, and t2 writes x.
 *
 * The reads of t3 are walked backwards. Of each key, the two next reads with different sources are known. At the first
 * read from t2 in program order, the nearest later source of each key that t2 writes must come after t2. Sources that
 * are read later still follow by their own first reads, so one order a key is enough. Two sources are kept, as the
 * nearest may be t2 itself.
 *
 * Time: the smaller of the keys that t2 writes and t3 reads, over all pairs of a reader and a source: O(n^1.5).
 * Source: the axiom of Biswas and Enea (OOPSLA'19); the bound after Moldrup et al., AWDIT (PLDI'25). */
#include "transaction/dependencies.h"
#include "transaction/key_set.h"

struct later { /* of a key: the sources of its later reads, in transaction `reader` */
    uint32_t reader;
    uint32_t next, other; /* other: ID_NONE - 1 if there is none */
};

enum { NO_OTHER = TXN_INIT - 1 };

struct backwards {
    struct dependencies *d;
    struct key_sets sets;
    struct later *later; /* of a key */
    uint32_t *reader;    /* of a source: the last transaction that read from it, going forwards */
    bool *first;         /* of a read of the transaction at hand: is it the first from its source? */
    VEC(uint32_t) keys;  /* that were read later */
};

static void force_key(struct backwards *b, uint32_t t3, uint32_t t2, const struct later *l)
{
    uint32_t t1 = l->next == t2 ? l->other : l->next;
    if (t1 != NO_OTHER)
        dependencies_force(b->d, t2, t1, t3);
}

static void force_source(struct backwards *b, uint32_t t3, uint32_t t2)
{
    const struct txn_view *v = b->d->v;
    uint32_t from = v->writes_at[t2], end = v->writes_at[t2 + 1];
    if (end - from <= b->keys.n || end - from <= KEYS_FEW) {
        for (uint32_t w = from; w < end; w++)
            if (b->later[v->write_key[w]].reader == t3)
                force_key(b, t3, t2, &b->later[v->write_key[w]]);
        return;
    }
    for (uint32_t i = 0; i < b->keys.n; i++)
        if (key_sets_has(&b->sets, t2, b->keys.at[i]))
            force_key(b, t3, t2, &b->later[b->keys.at[i]]);
}

static void note_read(struct backwards *b, uint32_t t3, const struct txn_read *r)
{
    uint32_t source = dependencies_source(b->d->v, r);
    struct later *l = &b->later[r->key];
    if (l->reader != t3) {
        *l = (struct later){t3, source, NO_OTHER};
        vec_push(b->d->m, &b->keys, r->key);
    } else if (l->next != source) {
        l->other = l->next;
        l->next = source;
    }
}

static void force_reader(struct backwards *b, uint32_t t3)
{
    const struct txn_view *v = b->d->v;
    uint32_t from = v->reads_at[t3], end = v->reads_at[t3 + 1];
    for (uint32_t i = from; i < end; i++) {
        uint32_t source = dependencies_source(v, &v->reads[i]);
        b->first[i - from] = source != TXN_INIT && b->reader[source] != t3;
        if (b->first[i - from])
            b->reader[source] = t3;
    }
    vec_clear(&b->keys);
    for (uint32_t i = end; i-- > from;) {
        if (b->first[i - from])
            force_source(b, t3, dependencies_source(v, &v->reads[i]));
        note_read(b, t3, &v->reads[i]);
    }
}

void force_rc(struct dependencies *d)
{
    const struct txn_view *v = d->v;
    uint32_t most = 0;
    for (uint32_t t = 0; t < v->n; t++)
        most = v->reads_at[t + 1] - v->reads_at[t] > most ? v->reads_at[t + 1] - v->reads_at[t] : most;
    struct backwards b = {.d = d,
                          .sets = key_sets_of(v, d->m),
                          .later = mem_new(d->m, struct later, (size_t)v->d + 1),
                          .reader = mem_new_ids(d->m, (size_t)v->n + 1),
                          .first = mem_new(d->m, bool, (size_t)most + 1)};
    for (uint32_t x = 0; x < v->d; x++)
        b.later[x].reader = ID_NONE;
    for (uint32_t t = 0; t < v->n && d->impossible == ID_NONE; t++) {
        budget_tick(d->budget);
        if (v->reads_at[t + 1] - v->reads_at[t] > 1)
            force_reader(&b, t);
    }
}
