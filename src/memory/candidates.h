/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of each read: its possible sources, in histories whose values are not unique. */
#ifndef ASSAY_MEMORY_CANDIDATES_H
#define ASSAY_MEMORY_CANDIDATES_H

#include "memory/rw.h"

struct candidates {
    uint32_t *at, *source; /* of event e: source[at[e]] .. source[at[e+1]-1], events or RW_INIT */
    /* Of a variable: the writes of its declared final value, and RW_INIT where it may never have been written. */
    uint32_t *final_at, *final;
};

struct candidates *candidates_of(const history *h, const struct rw *v, struct mem *m);

/* Of the open operations: did they happen, if reads have these sources? An operation does if happen[] names it already,
 * or if an operation that happened reads from it. */
void candidates_happened(const struct rw *v, const uint32_t *src, bool *happened);

#endif
