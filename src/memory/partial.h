/* SPDX-License-Identifier: Apache-2.0 */
/* A partial store order, as the events that each write waits for.
 *
 * The store order pww of ccm is the closure of two kinds of pairs (v, w) of writes of one variable: v precedes w; v
 * precedes a read of w. A read must come before each write that overwrites its source: r, reading from v, before w.
 *
 * Idea. Per thread u only the last such v is needed: earlier ones of u precede it, and their readers precede it, too,
 * because u's writes are pairs themselves. To find v, join the pasts of w and of its readers, the last reader in each
 * thread. v is the last write of the variable in this join. The events that must come before w are each v, and the last
 * readers of v in each thread. They are folded into one row: per lane the last position. A lane is a thread, or, where
 * reads may overtake writes, a thread's reads or its writes.
 *
 * Invariant: a row's entry names an event that must come before w. The event may be a read of v, or a read of the
 * initial value, which the first write of each thread must wait for.
 *
 * Source: pww of CCM (CAV'19) and wpww of wCCM (thesis, Figure 5.2). */
#ifndef ASSAY_MEMORY_PARTIAL_H
#define ASSAY_MEMORY_PARTIAL_H

#include "base/budget.h"
#include "base/stats.h"
#include "memory/chain_clock.h"
#include "memory/pasts.h"

struct partial {
    const struct rw *v;
    uint32_t lanes;
    const uint32_t *lane; /* event -> lane */
    uint32_t *row_of;     /* write -> row */
    uint32_t *rows;       /* per lane: the position in program order, + 1, of the last event that must come first */
};

struct partial_pairs {           /* where the pairs come from */
    const struct pasts *before;  /* v precedes w */
    const struct pasts *seen[2]; /* v precedes a read of w, in one of these; the second may be NULL */
    bool external;               /* reads of other threads only */
};

/* readers: last_readers(v). Memory from m. */
void partial_build(struct partial *p, const struct rw *v, const struct partial_pairs *pairs,
                   const struct groups *readers, uint32_t lanes, const uint32_t *lane, struct mem *m,
                   struct budget *budget, struct stats *stats);

static inline const uint32_t *partial_row(const struct partial *p, uint32_t w)
{
    return p->rows + (size_t)p->row_of[w] * p->lanes;
}

/* The first lane that has not come as far as w needs, or ID_NONE. */
static inline uint32_t partial_missing(const struct partial *p, uint32_t w, const uint32_t *done)
{
    return clock_missing(done, partial_row(p, w), p->lanes);
}

#endif
