/* SPDX-License-Identifier: Apache-2.0 */
/* The events of transactions (txn_events.h) sorted by base order, wr and the version orders of lists. */
#ifndef ASSAY_TRANSACTION_TXN_EVENTS_ORDER_H
#define ASSAY_TRANSACTION_TXN_EVENTS_ORDER_H

#include "memory/advance.h"
#include "transaction/txn_events.h"

struct txn_events_order {
    uint32_t *order, *rank; /* the events, and their places */
    uint32_t *depth;        /* the longest paths to them */
    uint32_t placed;
    const struct rw *rw;
    struct advance sort;
};

/* False: there is a cycle. Memory from m. */
bool txn_events_sort(struct txn_events_order *x, const struct txn_events *s, struct mem *m, struct budget *budget);

#endif
