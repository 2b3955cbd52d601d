/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest paths and cycles over the dependencies between transactions, for explanations. */
#ifndef ASSAY_TRANSACTION_SHORTEST_H
#define ASSAY_TRANSACTION_SHORTEST_H

#include "transaction/dependencies.h"

struct step { /* between transactions */
    assay_rule rule;
    uint32_t from, to;
    uint32_t forced; /* of ASSAY_CF: which order */
};

struct steps {
    VEC(struct step) at;
};

/* A path of base order and wr with as few steps as possible. There is one. */
struct steps shortest_path(const struct dependencies *d, uint32_t from, uint32_t to);

/* A cycle after a sort that failed: first with few forced orders, then with few steps. */
struct steps shortest_cycle(const struct dependencies *d);

#endif
