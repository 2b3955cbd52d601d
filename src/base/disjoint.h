/* SPDX-License-Identifier: Apache-2.0 */
/* Disjoint sets of small integers, each a tree of parents up to its root; paths are halved on the way. */
#ifndef ASSAY_BASE_DISJOINT_H
#define ASSAY_BASE_DISJOINT_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* n sets of one element. Memory from m. */
static inline uint32_t *disjoint_new(uint32_t n, struct mem *m)
{
    uint32_t *parent = mem_new(m, uint32_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i;
    return parent;
}

static inline uint32_t disjoint_root(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

/* False: they were in one set already. */
static inline bool disjoint_join(uint32_t *parent, uint32_t x, uint32_t y)
{
    x = disjoint_root(parent, x);
    y = disjoint_root(parent, y);
    parent[x] = y;
    return x != y;
}

#endif
