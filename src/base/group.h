/* SPDX-License-Identifier: Apache-2.0 */
/* Grouping by a small integer key: a counting sort that keeps the order within a group. */
#ifndef ASSAY_BASE_GROUP_H
#define ASSAY_BASE_GROUP_H

#include "base/mem.h"

#include <stdint.h>

struct groups { /* the items with key x are list[at[x]] .. list[at[x+1]-1] */
    uint32_t *at, *list;
};

/* Turns counts, that of key x at[x + 2], into starts, that of key x at[x + 1]. A loop that fills the groups moves each
 * start to its end, and then at[] is that of struct groups. It has keys + 2 entries. */
static inline void group_starts(uint32_t *at, uint32_t keys)
{
    for (uint32_t x = 0; x < keys; x++)
        at[x + 2] += at[x + 1];
}

/* Items 0 .. n-1 with key[i] < keys; those with ID_NONE are left out. Memory from m. */
struct groups group_by(const uint32_t *key, uint32_t n, uint32_t keys, struct mem *m);
/* Of edges from i to to[at[i]] .. to[at[i+1]-1], for i < n: where those into an item come from. Memory from m. */
struct groups groups_inverse(const uint32_t *at, const uint32_t *to, uint32_t n, struct mem *m);
void groups_free(struct groups *g, struct mem *m);

#endif
