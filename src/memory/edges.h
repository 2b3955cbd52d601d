/* SPDX-License-Identifier: Apache-2.0 */
/* Edges between events, collected one by one and then grouped by one of their ends. */
#ifndef ASSAY_MEMORY_EDGES_H
#define ASSAY_MEMORY_EDGES_H

#include "base/group.h"
#include "base/vec.h"

struct edges {
    struct mem *m;
    VEC(uint32_t) from, to;
};

static inline void edges_add(struct edges *x, uint32_t from, uint32_t to)
{
    vec_push(x->m, &x->from, from);
    vec_push(x->m, &x->to, to);
}

/* The `others` of the edges, by the `ends`, of n events. The edges are gone then. */
static inline struct groups edges_grouped(struct edges *x, const uint32_t *ends, const uint32_t *others, uint32_t n)
{
    struct groups by = group_by(ends, x->from.n, n, x->m);
    for (uint32_t i = 0; i < x->from.n; i++)
        by.list[i] = others[by.list[i]];
    vec_free(x->m, &x->from);
    vec_free(x->m, &x->to);
    return by;
}

/* The targets of each event's edges; the sources of the edges into each event. */
static inline struct groups edges_out(struct edges *x, uint32_t n)
{
    return edges_grouped(x, x->from.at, x->to.at, n);
}
static inline struct groups edges_into(struct edges *x, uint32_t n)
{
    return edges_grouped(x, x->to.at, x->from.at, n);
}

#endif
