/* SPDX-License-Identifier: Apache-2.0 */
/* The events of transactions (slices.h) sorted by base order, wr and the version orders of lists. */
#ifndef ASSAY_TRANSACTION_SLICES_ORDER_H
#define ASSAY_TRANSACTION_SLICES_ORDER_H

#include "memory/advance.h"
#include "transaction/slices.h"

struct slices_order {
    uint32_t *order, *rank; /* the events, and their places */
    uint32_t *depth;        /* the longest paths to them */
    uint32_t placed;
    const struct rw *rw;
    struct advance sort;
};

/* False: there is a cycle. Memory from m. */
bool slices_sort(struct slices_order *x, const struct slices *s, struct mem *m, struct budget *budget);

#endif
