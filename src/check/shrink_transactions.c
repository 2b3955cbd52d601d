/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of transactions: a transaction without readers, a key with all its accesses, a read. So a part can be kept iff
 * it has the writers of the values that its reads returned, alone or in a list. A transaction is cut together with the
 * reads of its values. A transaction without accesses goes, too. Aborted writers are writers: without them a read of an
 * aborted value would be a read of no value.
 *
 * Whole transactions go first, then keys, then single reads. The transactions that the refutation names are mostly
 * enough to begin with. A list shows the writes of others, and an unknown transaction counts by its readers. So the
 * neighbours of the named ones come next, and at last all. */
#include "check/shrink.h"

#include "history/slice.h"
#include "history/value_ids.h"

#include <string.h>

/* ---- who wrote the values of a read? ---- */

struct writing { /* an access that writes a value to a key */
    uint32_t op;
    uint32_t next; /* of the same, or ID_NONE */
};

struct pairing {
    struct shrinking *s;
    const history *h;
    struct mem *m;
    struct value_ids keys, values;
    struct idmap last; /* key and value -> the last that writes it */
    VEC(struct writing) writings;
    VEC(uint32_t) writers;   /* of one access after the other */
    VEC(uint32_t) access_of; /* of each of them */
};

static uint64_t pair_of(struct pairing *p, uint32_t key, struct value value)
{
    return (uint64_t)key << 32 | value_id(p->m, &p->values, value);
}

static void enter_accesses(struct pairing *p, uint32_t op)
{
    const history *h = p->h;
    for (uint32_t i = 0; i < history_arity(h, op) / 3; i++) {
        uint32_t access = history_accesses(h, op) + i;
        uint32_t key = value_id(p->m, &p->keys, history_arg(h, op, 3 * i + 1));
        p->s->cuts.transactions.key_of[access] = key;
        p->s->cuts.transactions.is_read[access] = strcmp(history_text(h, (uint32_t)history_arg(h, op, 3 * i).bits),
                                                         "r") == 0;
        if (p->s->cuts.transactions.is_read[access])
            continue;
        uint32_t *last = idmap_at(p->m, &p->last, pair_of(p, key, history_arg(h, op, 3 * i + 2)));
        struct writing writing = {op, *last};
        *last = p->writings.n;
        vec_push(p->m, &p->writings, writing);
    }
}

static void pair_value(struct pairing *p, uint32_t op, uint32_t access, struct value value)
{
    uint32_t at = idmap_get(&p->last, pair_of(p, p->s->cuts.transactions.key_of[access], value));
    for (; at != ID_NONE; at = p->writings.at[at].next) {
        if (p->writings.at[at].op == op)
            continue;
        vec_push(p->m, &p->writers, p->writings.at[at].op);
        vec_push(p->m, &p->access_of, access);
    }
}

static void pair_reads(struct pairing *p, uint32_t op)
{
    const history *h = p->h;
    for (uint32_t i = 0; i < history_arity(h, op) / 3; i++) {
        uint32_t access = history_accesses(h, op) + i;
        struct value value = history_arg(h, op, 3 * i + 2);
        if (!p->s->cuts.transactions.is_read[access])
            continue;
        if (value.kind != ASSAY_LIST) {
            pair_value(p, op, access, value);
            continue;
        }
        for (const struct list_value *l = h->lists.all.at[value.bits]; l->before; l = l->before)
            pair_value(p, op, access, l->last);
    }
}

/* The pairs by their accesses: the items of each group are the pairs' other ends. */
static struct groups grouped(const uint32_t *by, const uint32_t *other, uint32_t pairs, uint32_t n, struct mem *m)
{
    struct groups g = group_by(by, pairs, n, m);
    for (uint32_t i = 0; i < pairs; i++)
        g.list[i] = other[g.list[i]];
    return g;
}

static void pair_all(struct shrinking *s, const history *h)
{
    struct pairing p = {.s = s, .h = h, .m = &s->mem};
    uint32_t accesses = history_accesses(h, h->n);
    s->cuts.transactions.key_of = mem_new(&s->mem, uint32_t, (size_t)accesses + 1);
    s->cuts.transactions.is_read = mem_new(&s->mem, bool, (size_t)accesses + 1);
    for (uint32_t op = 0; op < h->n; op++)
        enter_accesses(&p, op);
    for (uint32_t op = 0; op < h->n; op++)
        if (!history_aborted(h, op)) /* reads of aborted transactions say nothing */
            pair_reads(&p, op);
    s->cuts.transactions.keys = p.keys.n;
    s->cuts.transactions.writers = grouped(p.access_of.at, p.writers.at, p.writers.n, accesses, &s->mem);
    s->cuts.transactions.readers = grouped(p.writers.at, p.access_of.at, p.writers.n, h->n, &s->mem);
}

/* ---- parts that can be kept ---- */

static bool has_writers(const struct shrinking *s, uint32_t access, const bool *keep)
{
    const struct groups *writers = &s->cuts.transactions.writers;
    for (uint32_t i = writers->at[access]; i < writers->at[access + 1]; i++)
        if (!keep[writers->list[i]])
            return false;
    return true;
}

/* Of the transaction: writes stay with it and with their key, and so do reads that have their writers. */
static void close_accesses(const struct shrinking *s, uint32_t op, bool *keep)
{
    const bool *keep_key = keep + s->ends[0];
    bool *keep_access = keep + s->ends[1];
    for (uint32_t a = history_accesses(s->base, op); a < history_accesses(s->base, op + 1); a++) {
        bool may = keep[op] && keep_key[s->cuts.transactions.key_of[a]];
        keep_access[a] = may && (!s->cuts.transactions.is_read[a] || (keep_access[a] && has_writers(s, a, keep)));
    }
}

/* Transactions and keys without accesses are dropped. */
static bool close(const struct shrinking *s, bool *keep)
{
    const history *h = s->base;
    bool *keep_key = keep + s->ends[0], *keep_access = keep + s->ends[1];
    for (uint32_t op = 0; op < h->n; op++)
        close_accesses(s, op, keep);
    memset(keep, false, s->ends[1] * sizeof *keep);
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t a = history_accesses(h, op); a < history_accesses(h, op + 1); a++)
            if (keep_access[a])
                keep[op] = keep_key[s->cuts.transactions.key_of[a]] = true;
    return true;
}

static history *slice(const struct shrinking *s, const bool *keep)
{
    return history_slice_accesses(s->base, keep, keep + s->ends[1]);
}

/* ---- the part to begin with ---- */

static void want(struct shrinking *s, uint32_t op)
{
    if (op != ASSAY_NO_OPERATION)
        s->keep[op] = true;
}

static void keep_named(struct shrinking *s)
{
    memset(s->keep, false, s->ends[0] * sizeof *s->keep);
    memset(s->keep + s->ends[0], true, (s->units - s->ends[0]) * sizeof *s->keep);
    shrink_refutation(s, want);
}

static void keep_writers(struct shrinking *s, const bool *of)
{
    const struct groups *writers = &s->cuts.transactions.writers;
    for (uint32_t op = 0; op < s->base->n; op++)
        for (uint32_t i = writers->at[history_accesses(s->base, op)];
             of[op] && i < writers->at[history_accesses(s->base, op + 1)]; i++)
            s->keep[writers->list[i]] = true;
}

static void keep_readers(struct shrinking *s, const bool *of, const uint32_t *op_of)
{
    const struct groups *readers = &s->cuts.transactions.readers;
    for (uint32_t op = 0; op < s->base->n; op++)
        for (uint32_t i = readers->at[op]; of[op] && i < readers->at[op + 1]; i++)
            s->keep[op_of[readers->list[i]]] = true;
}

static void keep_neighbours(struct shrinking *s)
{
    const history *h = s->base;
    uint32_t *op_of = mem_new(&s->mem, uint32_t, (size_t)history_accesses(h, h->n) + 1);
    bool *of = mem_new(&s->mem, bool, (size_t)h->n + 1);
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t a = history_accesses(h, op); a < history_accesses(h, op + 1); a++)
            op_of[a] = op;
    keep_named(s);
    memcpy(of, s->keep, h->n * sizeof *of);
    keep_readers(s, of, op_of);
    memcpy(of, s->keep, h->n * sizeof *of);
    keep_writers(s, of);
}

static bool is_enough(struct shrinking *s)
{
    close(s, s->keep);
    return shrink_still_violates(s, s->keep);
}

void shrink_transactions(struct shrinking *s)
{
    const history *h = s->r->h;
    pair_all(s, h);
    s->options.skew = s->r->skew;
    s->base = h;
    s->ends[0] = h->n;
    s->ends[1] = s->ends[0] + s->cuts.transactions.keys;
    s->ends[2] = s->units = s->ends[1] + history_accesses(h, h->n);
    s->rounds = 3;
    s->close = close;
    s->slice = slice;
    s->keep = mem_new(&s->mem, bool, (size_t)s->units + 1);
    keep_named(s);
    if (is_enough(s))
        return;
    keep_neighbours(s);
    if (is_enough(s))
        return;
    memset(s->keep, true, s->units * sizeof *s->keep);
    close(s, s->keep);
}
