/* SPDX-License-Identifier: Apache-2.0 */
/* A small history of transactions, for the engine `brute`: read from the columns, without the view of other engines.
 *
 * Sets of transactions are words of bits, by the numbers of operations. Nothing is decided here that depends on which
 * unknown transactions took effect. */
#ifndef ASSAY_BASELINE_BRUTE_TXN_H
#define ASSAY_BASELINE_BRUTE_TXN_H

#include "engine/engine.h"

enum { BRUTE_TRANSACTIONS = 10 };

typedef uint32_t txn_set;

enum brute_kind { BRUTE_READ, BRUTE_WRITE, BRUTE_APPEND };

struct brute_access {
    enum brute_kind kind;
    uint32_t key;
    struct value value; /* of a read that is not known: ASSAY_NONE */
};

struct brute_txn {
    struct brute_access *access;
    uint32_t n;
    bool aborted, unknown;
};

/* The elements of a list, or one value of a register. */
struct brute_value {
    struct value *at;
    uint32_t n;
    bool list;
};

struct brute_history {
    const history *h;
    struct brute_txn txn[BRUTE_TRANSACTIONS];
    uint32_t n, keys;
    struct brute_value *initial;        /* of a key */
    txn_set *writers;                   /* of a key: those that write or append to it, aborted ones included */
    txn_set before[BRUTE_TRANSACTIONS]; /* base order: its predecessors, no unknown ones among them */
};

static inline txn_set brute_just(uint32_t t)
{
    return (txn_set)1 << t;
}

/* Escapes with an error in the job if there are too many transactions. */
void brute_read(struct brute_history *b, struct job *job);

/* The list that a value is; its elements in memory of m. */
struct brute_value brute_list(const history *h, struct value v, struct mem *m);

#endif
