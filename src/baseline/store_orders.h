/* SPDX-License-Identifier: Apache-2.0 */
/* Completing the store order by enumeration. The open pairs are ordered one after another, first this way, then the
 * other, and each order must leave the graphs acyclic.
 *
 * The order v before w adds the edge v -> w and one from each reader of v to w. The graphs were
 * acyclic before, so a cycle goes through one of these: does w reach v, or a reader of v? Nothing
 * is learned from a cycle.
 *
 * Invariant: the graphs with the store edges on the stack are acyclic.
 * Source: the engines ENUM of the thesis (sections 4.2 and 5.3), there without the early search for cycles. */
#ifndef ASSAY_BASELINE_STORE_ORDERS_H
#define ASSAY_BASELINE_STORE_ORDERS_H

#include "base/stats.h"
#include "memory/stored.h"
#include "memory/write_pairs.h"

struct store_edge {
    uint32_t from, to;
    uint32_t next; /* of the same from, or ID_NONE */
};

struct store_orders {
    struct frames *f;
    struct stored *s; /* for the sources of reads */
    struct pairs *p;
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    VEC(struct store_edge) edges;
    uint32_t *out;                                     /* write -> its latest edge, or ID_NONE */
    uint8_t *tried;                                    /* open pair -> how many ways were tried: 0, 1, 2 */
    void (*edge)(struct store_orders *n, uint32_t to); /* handles one edge */
    uint32_t *seen, search;
    uint32_t *waits; /* event -> edges from events that are not placed */
    VEC(uint32_t) path;
};

/* False: no order of the open pairs will do. True: p->value has one. Per thread the fixed pairs must
 * include program order. */
bool store_orders_complete(struct store_orders *n);

#endif
