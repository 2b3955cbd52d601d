/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of positions, one entry per thread. */
#ifndef ASSAY_MEMORY_CHAIN_CLOCK_H
#define ASSAY_MEMORY_CHAIN_CLOCK_H

#include <stdint.h>

static inline void clock_join(uint32_t *restrict a, const uint32_t *restrict b, uint32_t k)
{
    for (uint32_t u = 0; u < k; u++)
        a[u] = a[u] > b[u] ? a[u] : b[u];
}

#endif
