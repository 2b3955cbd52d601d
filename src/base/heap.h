/* SPDX-License-Identifier: Apache-2.0 */
/* Binary heaps of 64-bit numbers, the least on top, in an array that the caller makes room in. A heap of things is one
 * of (key << 32 | thing). */
#ifndef ASSAY_BASE_HEAP_H
#define ASSAY_BASE_HEAP_H

#include <stdint.h>

/* n is the size before. */
static inline void heap_put(uint64_t *at, uint32_t n, uint64_t x)
{
    uint32_t i = n;
    for (; i && at[(i - 1) / 2] > x; i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = x;
}

/* The least of n > 0, which leaves. */
static inline uint64_t heap_take(uint64_t *at, uint32_t n)
{
    uint64_t least = at[0], last = at[n - 1];
    uint32_t i = 0, size = n - 1;
    for (uint64_t child = 1; child < size; child = 2 * (uint64_t)i + 1) {
        child += child + 1 < size && at[child + 1] < at[child];
        if (at[child] >= last)
            break;
        at[i] = at[child];
        i = (uint32_t)child;
    }
    at[i] = last;
    return least;
}

#endif
