/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded knowledge (`after`) together with program order, closed under transitivity.
 *
 * The operations that an operation is after are a beginning of each thread, so that "how many of each" says all.
 * Operations are visited in an order in which known operations come first (Kahn 1962). The knowledge of an operation is
 * the maximum of the knowledge of its predecessors. */
#ifndef ASSAY_HISTORY_KNOWLEDGE_H
#define ASSAY_HISTORY_KNOWLEDGE_H

#include "base/budget.h"
#include "history/history.h"

struct knowledge {
    const history *h;
    struct groups by;  /* the operations of each thread */
    uint32_t *place;   /* of an operation: how many of its thread come before it */
    uint32_t *rows;    /* of an operation: how many of each thread it is after, its own included */
    uint32_t circular; /* an operation that is after itself, whose row says nothing; or ID_NONE */
};

/* Of a history that records knowledge. Memory from m; b: may be NULL. */
struct knowledge knowledge_of(const history *h, struct mem *m, struct budget *b);

static inline const uint32_t *knowledge_row(const struct knowledge *x, uint32_t op)
{
    return x->rows + (size_t)op * x->h->threads.n;
}

/* The last of the thread's first `count` operations, which are some. */
static inline uint32_t knowledge_last(const struct knowledge *x, uint32_t thread, uint32_t count)
{
    return x->by.list[x->by.at[thread] + count - 1];
}

#endif
