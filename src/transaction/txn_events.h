/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions as events of a memory, whose order is sequentially consistent iff the strong level holds. So the
 * machinery of sc (memory/repair.h, forced_order.h, serialize.h) decides these levels, too.
 *
 *   ser   A transaction is one event, which makes all its accesses at once.
 *   pc    It is two events, in this order: its begin B makes the reads, its commit C the writes.
 *   si    As pc. And each key x has a lock, another variable. A transaction that writes x writes the lock at B, and
 *         reads this value of it at C. So no other writer of x begins between them: of two writers one commits before
 *         the other begins. A key with one writer needs no lock.
 *   psi   As ser, for a forced order without rw (forced_order.h). There a read of an initial value does not come before
 *         the first write. So the initial transaction is an event, before all others, which writes these values.
 *
 * Proof for si. Let an order of commits satisfy the definition, with snapshots as prefixes. Put B(t) behind the last
 * commit of t's snapshot. Reads find their sources, and by first committer wins no writer of x commits between B(t) and
 * C(t). So the pairs B, C of the writers of x are one behind the other, and the lock holds the value of B(t) at C(t).
 * Conversely the pairs of the writers of x do not overlap, which is first committer wins. The rules of the forced order
 * for the lock say: B(v) before C(w) gives C(v) before B(w), which is the trigger of the definitions.
 *
 * The version orders that lists show are edges between commits.
 *
 * Real time is one more thread, of points in time. A transaction comes before the first point that is not before its
 * end. The last point that is before its start comes before it. So 2n edges stand for n * n pairs.
 *
 * Invariant: events of transaction t of the view are points * t .. points * t + points - 1, and chains are threads.
 * Source: the graphs over begins and commits of Cerone and Gotsman; locks and points are this project's own. */
#ifndef ASSAY_TRANSACTION_TXN_EVENTS_H
#define ASSAY_TRANSACTION_TXN_EVENTS_H

#include "memory/across.h"
#include "transaction/view.h"

struct txn_events {
    const struct txn_view *v;
    struct rw rw;
    struct across across;
    uint32_t points;      /* events of a transaction */
    uint32_t moments;     /* points in time, the events behind those of the transactions */
    uint32_t initial;     /* psi: the event of the initial transaction, the last one; else ID_NONE */
    uint32_t two_sources; /* a transaction that read one key from two sources, or ID_NONE. Then there are no events */
};

/* Of one of the levels COND_PC, COND_PSI, COND_SI, COND_SER. Memory from m. */
void txn_events_init(struct txn_events *s, const struct txn_view *v, unsigned level, struct mem *m);

/* The event that makes its writes, and the one that makes its reads. */
static inline uint32_t txn_events_commit(const struct txn_events *s, uint32_t t)
{
    return s->points * t + s->points - 1;
}
static inline uint32_t txn_events_begin(const struct txn_events *s, uint32_t t)
{
    return s->points * t;
}

/* Is it an event of a transaction of the history? */
static inline bool txn_events_is_txn(const struct txn_events *s, uint32_t e)
{
    return e < s->points * s->v->n;
}

#endif
