/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of reads of registers. A candidate is another transaction whose last write of the key is the value. It
 * has not aborted. The initial transaction is one, if the value is the initial one. One candidate is the source.
 * Several leave it open, and the evidence may name one of them. Without any the read has a fault. */
#include "recheck/transactions.h"

bool txn_leaves(const struct transactions *t, const struct txn_put *p)
{
    return t->outcome[p->op] != OUTCOME_ABORTED && p->place + 1 == t->write_count[txn_write(t, p->op, p->key)];
}

static uint8_t fault_of(const struct transactions *t, const struct txn_put *p, uint32_t op)
{
    unsigned faults = p->op == op ? FAULT_FUTURE : 0;
    faults |= t->outcome[p->op] == OUTCOME_ABORTED ? FAULT_ABORTED : 0;
    faults |= p->place + 1 != t->write_count[txn_write(t, p->op, p->key)] ? FAULT_INTERMEDIATE : 0;
    return (uint8_t)faults;
}

void txn_find_source(struct transactions *t, uint32_t op, struct txn_read *read, struct value v, bool initial)
{
    uint32_t candidates = initial;
    uint8_t faults = 0;
    read->source = initial ? FROM_INITIAL : FROM_NOBODY;
    for (uint32_t put = txn_put_of(t, read->key, v); put != ID_NONE; put = t->puts.at[put].again) {
        const struct txn_put *p = &t->puts.at[put];
        faults |= fault_of(t, p, op);
        if (p->op == op || !txn_leaves(t, p))
            continue;
        read->source = p->op;
        candidates++;
    }
    if (!candidates)
        read->faults = faults ? faults : FAULT_THIN_AIR;
    if (candidates > 1)
        read->source = FROM_SEVERAL;
}

static struct value value_of(const history *h, uint32_t op, uint32_t access)
{
    return history_arg(h, op, 3 * access + 2);
}

uint32_t txn_read_put(const struct transactions *t, uint32_t op, const struct txn_read *read)
{
    return txn_put_of(t, read->key, value_of(t->h, op, read->access));
}

bool txn_may_read_from(const struct transactions *t, uint32_t op, const struct txn_read *read, uint32_t source)
{
    if (source == FROM_INITIAL)
        return value_same(value_of(t->h, op, read->access), txn_initial_value(t->h, op, read->access));
    uint32_t put = txn_read_put(t, op, read);
    for (; put != ID_NONE; put = t->puts.at[put].again)
        if (t->puts.at[put].op == source && source != op && txn_leaves(t, &t->puts.at[put]))
            return true;
    return false;
}

struct txn_read *txn_read_at(const struct transactions *t, uint32_t op, uint32_t access)
{
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++)
        if (t->reads[i].access == access)
            return &t->reads[i];
    return NULL;
}

static bool name_source(const struct recheck *x, struct transactions *t, uint32_t i, bool *named)
{
    const struct evidence *ev = &x->line->evidence;
    uint32_t write = ev->sources.at[i].first, op = ev->sources.at[i].second, access = ev->source_access.at[i];
    if (op >= x->h->n)
        return refuse(x, "source %u is that of operation %u, which the history does not have", i, op);
    struct txn_read *read = txn_read_at(t, op, access);
    if (!read || read->version != ID_NONE)
        return refuse(x, "access %u of %s is given a source, but reads no register from others", access,
                      operation_text(x, op));
    if (named[read - t->reads])
        return refuse(x, "access %u of %s is given two sources", access, operation_text(x, op));
    named[read - t->reads] = true;
    uint32_t source = write == ASSAY_NO_OPERATION ? FROM_INITIAL : write;
    if (!txn_may_read_from(t, op, read, source))
        return refuse(x, "access %u of %s cannot have read from %s", access, operation_text(x, op),
                      source == FROM_INITIAL ? "the initial transaction" : operation_text(x, source));
    read->source = source;
    return true;
}

bool txn_same_read(const struct transactions *t, uint32_t op, const struct txn_read *a, const struct txn_read *b)
{
    return a->key == b->key && a->version == ID_NONE && b->version == ID_NONE && !a->faults && !b->faults &&
           value_same(value_of(t->h, op, a->access), value_of(t->h, op, b->access));
}

/* For all models but rc, reads of one key with one value in a transaction have one source. */
static void name_same(const struct recheck *x, struct transactions *t)
{
    uint32_t *last = mem_new_ids(x->mem,
                                 (size_t)t->puts.n + 1); /* of a value's first put: its last read with a source */
    for (uint32_t op = 0; op < x->h->n; op++)
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
                struct txn_read *r = &t->reads[i];
                uint32_t put = r->version != ID_NONE || r->faults ? ID_NONE : txn_read_put(t, op, r);
                if (put == ID_NONE)
                    continue;
                if (r->source != FROM_SEVERAL)
                    last[put] = i;
                else if (last[put] != ID_NONE && last[put] >= t->reads_at[op])
                    r->source = t->reads[last[put]].source;
            }
    mem_free(x->mem, last);
}

bool txn_name_sources(const struct recheck *x, struct transactions *t)
{
    const struct evidence *ev = &x->line->evidence;
    if (ev->sources.n && !ev->source_access.n)
        return refuse(x, "the evidence names sources of transactions, but not of which access");
    bool *named = mem_new_zero(x->mem, bool, (size_t)t->reads_at[x->h->n] + 1);
    for (uint32_t i = 0; i < ev->sources.n; i++)
        if (!name_source(x, t, i, named))
            return false;
    if (ev->sources.n && !(x->conditions & COND_RC))
        name_same(x, t);
    mem_free(x->mem, named);
    return true;
}
