/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of events of a nest without peeks, so that peeling steps over many events at once.
 *
 * Searching. An event counts +1 if its value begins to cover there, -1 if it ceases to, and else 0. Of each block are
 * known the sum of its events, and the least sum of its first events. So it is known whether a search that enters the
 * block finds a gap in it, and with which count it leaves the block. When a value is taken, the blocks of its two
 * events become stale. They are summed up anew when a search comes by.
 *
 * Placing. Of some blocks, the operations that run when the block begins are listed. The operations that span a gap are
 * among the operations of the last list before the gap, and those that begin between the two. A block has a list if
 * its list before has at most as many operations as there are events in between. So all lists together are of the
 * length of the row.
 *
 * Blocks change nothing about which gaps can be used. They cost O(n), and save the factor log n in most histories. */
#ifndef ASSAY_SCAN_NEST_BLOCKS_H
#define ASSAY_SCAN_NEST_BLOCKS_H

#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>

enum { NEST_BLOCK = 64 };

struct nest_block {
    int8_t sum, low;             /* of the whole block; the least sum of its first 1, 2, ... events */
    bool stale;                  /* both are not known */
    uint32_t listed;             /* the last block up to this one that has a list */
    uint32_t running, running_n; /* the list: beginnings of operations, in nest_blocks.running */
};

struct nest_blocks {
    struct nest_block *at;  /* NULL: the nest is short, or has peeks; the last block may have less than NEST_BLOCK */
    uint32_t *open, *close; /* of each value that covers: the blocks of the two events */
    VEC(uint32_t) running;
};

struct nest;

void nest_blocks_begin(struct nest *x);
void nest_blocks_list(struct nest *x); /* when the values' states are known */
void nest_blocks_sum(const struct nest *x, uint32_t block);
void nest_blocks_free(struct nest_blocks *b, struct mem *m);

#endif
