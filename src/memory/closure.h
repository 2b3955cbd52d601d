/* SPDX-License-Identifier: Apache-2.0 */
/* The transitive closure of a partial store order (partial.h), for asking about pairs of writes.
 *
 * A row of the partial order names, per thread, the last write that w waits for. The writes before w are these and the
 * writes before them. Per thread the last one determines the rest. */
#ifndef ASSAY_MEMORY_CLOSURE_H
#define ASSAY_MEMORY_CLOSURE_H

#include "memory/partial.h"

struct closure {
    const struct rw *v;
    const struct partial *p;
    uint32_t *known; /* row, thread -> position + 1 of the last write that comes before */
};

/* The partial order must be acyclic. */
void closure_build(struct closure *c, const struct partial *p, struct mem *m, struct budget *budget);

/* Does v come before w? Both write the same variable. */
static inline bool closure_stored(const struct closure *c, uint32_t v, uint32_t w)
{
    uint32_t t = c->v->thread[v];
    return c->known[(size_t)c->p->row_of[w] * c->v->k + t] > v - c->v->base[t];
}

#endif
