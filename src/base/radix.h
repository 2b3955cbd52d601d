/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting pairs (key << 32 | thing) by their 32-bit keys in linear time, for keys that differ. */
#ifndef ASSAY_BASE_RADIX_H
#define ASSAY_BASE_RADIX_H

#include "base/mem.h"

#include <stdint.h>

void radix_sort(uint64_t *items, uint32_t n, struct mem *m);
void sort_few(uint32_t *numbers, uint32_t n); /* plain numbers, in ascending order */

#endif
