/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of registers, as logs of databases have them: accesses are gathered, and become an operation at the end
 * of their transaction. */
#ifndef ASSAY_FORMAT_TXN_ROWS_H
#define ASSAY_FORMAT_TXN_ROWS_H

#include "history/history.h"

enum txn_outcome { TXN_COMMITTED, TXN_ABORTED, TXN_UNKNOWN };

struct txn_rows {
    history *h;
    struct arguments args; /* of the transaction at hand */
    VEC(uint32_t) lines;   /* of its accesses, if they have some */
    struct value read, write, abort;
    uint32_t method;
};

/* The history is of the object multi-register. Memory from it; may escape, as below. */
struct txn_rows txn_rows(history *h);
void txn_rows_end(struct txn_rows *s);

static inline void txn_access(struct txn_rows *s, bool writes, struct value key, struct value value)
{
    vec_reserve(&s->h->mem, &s->args, 3);
    struct value *at = s->args.at + s->args.n;
    at[0] = writes ? s->write : s->read;
    at[1] = key;
    at[2] = value;
    s->args.n += 3;
}

/* The same in a line of its own. */
static inline void txn_access_in(struct txn_rows *s, bool writes, struct value key, struct value value, uint32_t line)
{
    vec_push(&s->h->mem, &s->lines, line);
    txn_access(s, writes, key, value);
}

/* The gathered accesses become a transaction. The values that an unknown one read stay as they are. */
void txn_finish(struct txn_rows *s, uint32_t thread, enum txn_outcome outcome, uint64_t line);
void txn_header(struct txn_rows *s, const char *key, const char *text);

static inline struct value txn_integer(int64_t v)
{
    return (struct value){v, ASSAY_INT};
}

#endif
