/* SPDX-License-Identifier: Apache-2.0 */
/* The axioms of rc and ra for a given order of commits. Let t3 read x from t1. Every other writer t2 of x that t3 is
 * bound to see comes before t1 in the order.
 *
 * rc: t3 is bound to see the transactions that it read from earlier. ra: all transactions that it reads from, and its
 * base order. Of the transactions that it reads from, only the keys that they write and t3 reads matter. They are found
 * from the smaller of both sets. Of the base order only the latest writer of x matters: sessions and ends in time are
 * walked with the latest writer of each key. tcc, psi, and ra with recorded knowledge: txn_pasts.c. */
#include "recheck/txn_axioms.h"

struct seen { /* of the transaction at hand */
    struct recheck *x;
    const struct txn_order *o;
    uint32_t *first; /* of a key: its first read that is still to come, if this is one of the transaction's */
    uint32_t *next;  /* of a read: the next of the same key, or ID_NONE */
    uint32_t *least; /* of a read: the earliest source of it and of those behind it that have its key */
    uint32_t *met;   /* of an operation: the last transaction that was asked about it as a source */
};

uint32_t txn_place(const struct txn_order *o, uint32_t source)
{
    return source == FROM_INITIAL ? 0 : o->commit[source] + 1;
}

bool txn_refuse_stale(const struct recheck *x, uint32_t reader, uint32_t source, uint32_t newer)
{
    return refuse(x, "%s reads from %s, but the order has %s behind it, which it had to see", operation_text(x, reader),
                  source == FROM_INITIAL ? "the initial transaction" : operation_text(x, source),
                  operation_text(x, newer));
}

static void begin_transaction(struct seen *s, uint32_t op)
{
    const struct transactions *t = s->x->transactions;
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++)
        s->first[t->reads[i].key] = ID_NONE;
    for (uint32_t i = t->reads_at[op + 1]; i-- > t->reads_at[op];) {
        uint32_t *first = &s->first[t->reads[i].key];
        s->next[i] = *first;
        s->least[i] = *first != ID_NONE &&
                              txn_place(s->o, t->reads[s->least[*first]].source) < txn_place(s->o, t->reads[i].source)
                          ? s->least[*first]
                          : i;
        *first = i;
    }
}

/* Is the read of op one that first[] leads to? A stale entry is of another transaction. */
static bool to_come(const struct seen *s, uint32_t op, uint32_t key, uint32_t from)
{
    const struct transactions *t = s->x->transactions;
    uint32_t i = s->first[key];
    return i != ID_NONE && i >= from && i < t->reads_at[op + 1];
}

/* The reads from `from` on do not miss a write of the source. */
static bool check_source(const struct seen *s, uint32_t op, uint32_t source, uint32_t from)
{
    const struct transactions *t = s->x->transactions;
    uint32_t place = txn_place(s->o, source), writes = t->writes_at[source + 1] - t->writes_at[source];
    if (writes <= t->reads_at[op + 1] - from) {
        for (uint32_t w = t->writes_at[source]; w < t->writes_at[source + 1]; w++) {
            uint32_t key = t->write_key[w];
            if (!to_come(s, op, key, from))
                continue;
            uint32_t oldest = t->reads[s->least[s->first[key]]].source;
            if (txn_place(s->o, oldest) < place)
                return txn_refuse_stale(s->x, op, oldest, source);
        }
        return true;
    }
    for (uint32_t i = from; i < t->reads_at[op + 1]; i++)
        if (txn_place(s->o, t->reads[i].source) < place && txn_write(t, source, t->reads[i].key) != ID_NONE)
            return txn_refuse_stale(s->x, op, t->reads[i].source, source);
    return true;
}

static bool check_seen(struct seen *s, uint32_t op, bool earlier_only)
{
    const struct transactions *t = s->x->transactions;
    begin_transaction(s, op);
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
        uint32_t source = t->reads[i].source;
        budget_tick(s->x->budget);
        if (earlier_only)
            s->first[t->reads[i].key] = s->next[i];
        if (source == FROM_INITIAL || s->met[source] == op)
            continue;
        s->met[source] = op;
        if (!check_source(s, op, source, earlier_only ? i + 1 : t->reads_at[op]))
            return false;
    }
    return true;
}

static bool check_all_seen(struct recheck *x, const struct txn_order *o, bool earlier_only)
{
    const struct transactions *t = x->transactions;
    uint32_t reads = t->reads_at[x->h->n];
    struct seen s = {x,
                     o,
                     mem_new_ids(x->mem, t->keys),
                     mem_new(x->mem, uint32_t, reads),
                     mem_new(x->mem, uint32_t, reads),
                     mem_new_ids(x->mem, x->h->n)};
    for (uint32_t i = 0; i < o->count; i++)
        if (!check_seen(&s, o->ops[i], earlier_only))
            return false;
    return true;
}

/* ---- ra: the base order ---- */

struct latest { /* of each key: its writer so far that commits last, or ID_NONE */
    struct recheck *x;
    const struct txn_order *o;
    uint32_t *writer;
    uint32_t *session; /* of a key: whose writer it is; ID_NONE: sessions do not matter */
};

static bool check_reads(const struct latest *l, uint32_t op)
{
    const struct transactions *t = l->x->transactions;
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
        uint32_t key = t->reads[i].key, newer = l->writer[key];
        if (l->session && l->session[key] != t->h->thread[op])
            continue;
        if (newer != ID_NONE && txn_place(l->o, newer) > txn_place(l->o, t->reads[i].source))
            return txn_refuse_stale(l->x, op, t->reads[i].source, newer);
    }
    return true;
}

static void add_writes(const struct latest *l, uint32_t op)
{
    const struct transactions *t = l->x->transactions;
    if (!txn_precedes(t, op))
        return;
    for (uint32_t w = t->writes_at[op]; w < t->writes_at[op + 1]; w++) {
        uint32_t key = t->write_key[w], *writer = &l->writer[key];
        bool other = l->session && l->session[key] != t->h->thread[op];
        if (l->session)
            l->session[key] = t->h->thread[op];
        if (other || *writer == ID_NONE || txn_place(l->o, op) > txn_place(l->o, *writer))
            *writer = op;
    }
}

static bool check_along_sessions(struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    struct latest l = {x, o, mem_new_ids(x->mem, t->keys), mem_new_ids(x->mem, t->keys)};
    for (uint32_t i = 0; i < x->h->n; i++) {
        uint32_t op = t->sessions.list[i];
        if (t->counts[op] && !check_reads(&l, op))
            return false;
        add_writes(&l, op);
    }
    return true;
}

static bool check_along_time(struct recheck *x, const struct txn_order *o)
{
    struct latest l = {x, o, mem_new_ids(x->mem, x->transactions->keys), NULL};
    struct txn_moment *at;
    uint32_t n = txn_moments(x->transactions, x->mem, &at);
    for (uint32_t i = 0; i < n; i++)
        if (at[i].ends)
            add_writes(&l, at[i].op);
        else if (!check_reads(&l, at[i].op))
            return false;
    return true;
}

static bool check_atomic(struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    if (!check_all_seen(x, o, false) || (t->base != BASE_NONE && !check_along_sessions(x, o)))
        return false;
    if (t->base != BASE_REALTIME)
        return true;
    return t->past ? recheck_txn_pasts(x, o) : !x->h->call || check_along_time(x, o);
}

/* The order contains wr. */
static bool sources_first(const struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = o->ops[i];
        for (uint32_t r = t->reads_at[op]; r < t->reads_at[op + 1]; r++)
            if (txn_place(o, t->reads[r].source) > i)
                return refuse(x, "the order has %s before %s, from which it reads", operation_text(x, op),
                              operation_text(x, t->reads[r].source));
    }
    return true;
}

bool recheck_txn_axioms(struct recheck *x, const struct txn_order *o)
{
    if (!sources_first(x, o))
        return false;
    if (x->conditions & COND_RC)
        return check_all_seen(x, o, true);
    return x->conditions & COND_RA ? check_atomic(x, o) : recheck_txn_pasts(x, o);
}
