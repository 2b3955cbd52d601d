/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of transactions: a transaction together with its readers. So a set can be kept iff it holds the writers of all
 * values that it read, alone or in lists. Aborted writers stay, too: without them a read of an aborted value would be a
 * read of no value. */
#include "check/shrink.h"

#include "history/value_ids.h"

#include <string.h>

struct writing { /* an access that writes a value to a key */
    uint32_t op;
    uint32_t next; /* of the same, or ID_NONE */
};

struct pairing {
    const history *h;
    struct mem *m;
    struct value_ids keys, values;
    struct idmap last; /* key and value -> the last that writes it */
    VEC(struct writing) writings;
    VEC(uint32_t) reader, writer; /* pairs of operations */
};

static bool reads(const history *h, uint32_t op, uint32_t i)
{
    return strcmp(history_text(h, (uint32_t)history_arg(h, op, i).bits), "r") == 0;
}

static bool aborted(const history *h, uint32_t op)
{
    struct value end = history_result(h, op);
    return end.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)end.bits), "abort") == 0;
}

static uint64_t pair_of(struct pairing *p, struct value key, struct value value)
{
    return (uint64_t)value_id(p->m, &p->keys, key) << 32 | value_id(p->m, &p->values, value);
}

static void enter_writes(struct pairing *p, uint32_t op)
{
    for (uint32_t i = 0; i < history_arity(p->h, op); i += 3) {
        if (reads(p->h, op, i))
            continue;
        uint64_t pair = pair_of(p, history_arg(p->h, op, i + 1), history_arg(p->h, op, i + 2));
        uint32_t *last = idmap_at(p->m, &p->last, pair);
        struct writing writing = {op, *last};
        *last = p->writings.n;
        vec_push(p->m, &p->writings, writing);
    }
}

static void pair_value(struct pairing *p, uint32_t op, struct value key, struct value value)
{
    uint32_t at = idmap_get(&p->last, pair_of(p, key, value));
    for (; at != ID_NONE; at = p->writings.at[at].next) {
        if (p->writings.at[at].op == op)
            continue;
        vec_push(p->m, &p->reader, op);
        vec_push(p->m, &p->writer, p->writings.at[at].op);
    }
}

static void pair_reads(struct pairing *p, uint32_t op)
{
    const history *h = p->h;
    for (uint32_t i = 0; i < history_arity(h, op); i += 3) {
        struct value key = history_arg(h, op, i + 1), value = history_arg(h, op, i + 2);
        if (!reads(h, op, i))
            continue;
        if (value.kind != ASSAY_LIST) {
            pair_value(p, op, key, value);
            continue;
        }
        for (const struct list_value *l = h->lists.all.at[value.bits]; l->before; l = l->before)
            pair_value(p, op, key, l->last);
    }
}

/* Drops readers of operations that were cut, until none is left. */
static bool close(const struct shrinking *s, bool *keep)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->cuts.transactions.pairs; i++) {
            bool *reader = &keep[s->cuts.transactions.reader[i]];
            again |= *reader && !keep[s->cuts.transactions.writer[i]];
            *reader = *reader && keep[s->cuts.transactions.writer[i]];
        }
    }
    return true;
}

/* Adds the operations that kept ones read from. */
static void open(struct shrinking *s)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->cuts.transactions.pairs; i++) {
            bool *writer = &s->keep[s->cuts.transactions.writer[i]];
            again |= s->keep[s->cuts.transactions.reader[i]] && !*writer;
            *writer |= s->keep[s->cuts.transactions.reader[i]];
        }
    }
}

static void want(struct shrinking *s, uint32_t op)
{
    if (op != ASSAY_NO_OPERATION)
        s->keep[op] = true;
}

void shrink_transactions(struct shrinking *s)
{
    const history *h = s->r->h;
    struct pairing p = {.h = h, .m = &s->mem};
    for (uint32_t op = 0; op < h->n; op++)
        enter_writes(&p, op);
    for (uint32_t op = 0; op < h->n; op++)
        if (!aborted(h, op))
            pair_reads(&p, op);
    s->cuts.transactions.reader = p.reader.at;
    s->cuts.transactions.writer = p.writer.at;
    s->cuts.transactions.pairs = p.reader.n;
    s->close = close;
    s->base = h;
    s->keep = mem_new_zero(&s->mem, bool, (size_t)h->n + 1);
    shrink_refutation(s, want);
    open(s);
    if (!shrink_still_violates(s, s->keep))
        memset(s->keep, true, h->n * sizeof *s->keep);
}
