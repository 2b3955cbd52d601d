/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting pairs (key << 32 | thing) by their 32-bit keys in linear time, for keys that differ. */
#ifndef ASSAY_BASE_RADIX_H
#define ASSAY_BASE_RADIX_H

#include "base/mem.h"

#include <stdint.h>

void radix_sort(uint64_t *items, uint32_t n, struct mem *m);
void sort_few(uint32_t *numbers, uint32_t n); /* plain numbers, in ascending order */

/* Of items that are few, or nearly sorted: by key[item]. Equal ones keep their order. */
static inline void sort_few_by(uint32_t *items, uint32_t n, const uint32_t *key)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t moved = items[i], j = i;
        for (; j > 0 && key[moved] < key[items[j - 1]]; j--)
            items[j] = items[j - 1];
        items[j] = moved;
    }
}

#endif
