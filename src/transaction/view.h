/* SPDX-License-Identifier: Apache-2.0 */
/* The view of transactions: the input of the models of isolation, beside the read/write view of memories (memory/rw.h).
 *
 * The committed transactions count. An unknown one counts if a transaction that counts reads from it: this smallest
 * set decides (docs/reference/transactions.md). They are regrouped by session and numbered: transaction base[c]+i is
 * the i-th of chain c, so the successor of t in its chain is t+1. A session is a chain. Where session order does not
 * count, each transaction is a chain of its own.
 *
 * An unknown transaction that counts has no successors. So it is a chain of its own, unless it is the last of its
 * session. The transaction before it in its session is then among the `before` of it. The initial transaction is none
 * of them: a read of an initial value has the source TXN_INIT.
 *
 * A write is a pair of a transaction and a key that it writes or appends to. It is numbered once, even if there are
 * several accesses: the last value counts. */
#ifndef ASSAY_TRANSACTION_VIEW_H
#define ASSAY_TRANSACTION_VIEW_H

#include "base/group.h"
#include "evidence/evidence.h"
#include "history/history.h"

#define TXN_INIT UINT32_MAX /* source: the initial value */

struct txn_read { /* an external one: no own write of the key comes before it, or own appends are taken off the list */
    uint32_t key;
    uint32_t source; /* a write, or TXN_INIT */
    uint32_t access; /* its place among the accesses of the operation */
};

struct txn_view {
    uint32_t n, k, d; /* transactions that count, chains, keys */
    uint32_t *base;   /* k + 1 */
    uint32_t *chain;  /* of a transaction */
    uint32_t *op;     /* of a transaction: the history's operation */
    uint32_t *key_at; /* of a key: a place in the history's pool of values that has it (history_value) */

    uint32_t *reads_at; /* n + 1: the reads of t are reads[reads_at[t]] .. in program order, repeated ones included */
    struct txn_read *reads;
    uint32_t *writes_at;          /* n + 1: the writes of t are numbered writes_at[t] .. writes_at[t+1]-1 */
    uint32_t *write_key, *writer; /* of a write: its key, its transaction */

    struct groups observed; /* of each key: its writes that some list shows, in the order of the lists */
    uint32_t *version;      /* of a write: its place in that order, or ID_NONE; NULL: the history has no lists */

    /* Base order beside the chains. before: of each transaction, transactions that come directly before it (an unknown
     * one's predecessor; of a strict model recorded knowledge). Real time, of a strict model with times: `ended` has
     * the transactions by their ends. The first ended_before[t] of them ended before t began. */
    struct groups before;
    uint32_t *ended, ended_count, *ended_before; /* NULL: real time does not count */

    /* The first read that every level forbids, by operation and access. */
    enum pattern anomaly;             /* PATTERN_NONE: there is none, and only then the rest is complete */
    uint32_t anomalous, at, opposite; /* its operation, its access; the operation that wrote the value, or another
                                       * list, or ID_NONE */

    /* Operations that write the same value to the same key, where it is read; else ID_NONE. twice[0] alone ID_NONE:
     * twice[1] writes the initial value. */
    uint32_t twice[2];
    bool open; /* a read has to choose between several sources: then the rest is not complete (repeated_values.h) */
    bool lists_repeat; /* they are appends: nothing can be chosen */
    bool part;         /* it is a part of a history (part.h) */
    bool *chosen;      /* of a read: was its source chosen? NULL: the history determines the view */
};

/* The operations of the history are all `txn`. base: does session order count, does real time, with clocks that are
 * wrong by the skew? Memory from m; may escape. A key that is both a register and a list is a fault of the history: it
 * escapes with its place in e. */
struct txn_view *txn_view(const history *h, enum base base, int64_t skew, struct mem *m, assay_error *e);

/* Is the view that of the history? There is no anomaly, and no source to be chosen. */
static inline bool txn_view_complete(const struct txn_view *v)
{
    return !v->anomaly && !v->open && !v->lists_repeat;
}

/* Is there an anomaly that every level forbids? Then the result is a violation. */
bool txn_view_refutes(const struct txn_view *v, result *out);

/* Of each operation up to the last that counts: its transaction, if it counts. Memory from m. */
uint32_t *txn_view_by_operation(const struct txn_view *v, struct mem *m);

/* The writer that the lists show directly before the write, or ID_NONE. */
static inline uint32_t txn_version_before(const struct txn_view *v, uint32_t w)
{
    uint32_t x = v->write_key[w], from = v->observed.at[x], end = v->observed.at[x + 1];
    uint32_t at = v->version[w] == ID_NONE ? end : from + v->version[w];
    return at == from ? ID_NONE : v->writer[v->observed.list[at - 1]];
}

#endif
