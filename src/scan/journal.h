/* SPDX-License-Identifier: Apache-2.0 */
/* A journal: the operations of an object that still matter, so that the past can be judged again.
 *
 * A scan (scan.h) forgets the operations that it has judged. Two tasks need more. The first: which return completed a
 * contradiction? At that moment some operations were open, and their results were unknown. The second: a scan may come
 * to its limits, because values repeat. Then another checker takes over (holdback.c), from the operations of the
 * journal.
 *
 * Invariant. While a journal is complete, the history of its operations, with any continuation, is linearizable iff the
 * whole history is with the same continuation. At first that is everything. An operation is left out if it has returned
 * before `settled`, and the scan does not hold its value any more. By `settled` the scan has judged everything, and no
 * operation that is open was called. (docs/internals/algorithms.md argues why that suffices, for each object.) Where
 * too many would have to stay, the oldest go, and the journal is no longer complete. */
#ifndef ASSAY_SCAN_JOURNAL_H
#define ASSAY_SCAN_JOURNAL_H

#include "scan/records.h"

enum { JOURNAL_FEW = 1024, JOURNAL_MOST = 64 }; /* operations; how many times as many at most */

struct journal {
    struct mem *mem;
    struct records *records;
    VEC(uint32_t) ops;   /* records, in the order of their returns */
    uint32_t few, limit; /* keeps few in any case; prune when there are as many as `limit` */
    bool complete;
    VEC(assay_binding) init; /* the initial values of the object, as far as they matter */
};

void journal_open(struct journal *j, const struct online_setup *s, struct records *records);
void journal_close(struct journal *j);
void journal_clear(struct journal *j); /* nothing that has happened matters */

static inline bool journal_is_full(const struct journal *j)
{
    return j->ops.n >= j->limit;
}

static inline const struct scan_op *journal_op(const struct journal *j, uint32_t i)
{
    return &j->records->all.at[j->ops.at[i]];
}

/* An operation has returned; its record is released when it is left out. */
static inline void journal_add(struct journal *j, uint32_t record)
{
    vec_push(j->mem, &j->ops, record);
}

/* Makes room; the scan names the operations that can be left out, if it has the hooks. */
void journal_prune(struct journal *j, uint64_t settled, const struct scan *scan, const void *state);
void journal_each_text(const struct journal *j, void (*visit)(void *arg, struct value v), void *arg);

#endif
