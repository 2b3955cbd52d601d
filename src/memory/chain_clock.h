/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of positions, one entry per thread. */
#ifndef ASSAY_MEMORY_CHAIN_CLOCK_H
#define ASSAY_MEMORY_CHAIN_CLOCK_H

#include "base/hash.h"

#include <stdint.h>

static inline void clock_join(uint32_t *restrict a, const uint32_t *restrict b, uint32_t k)
{
    for (uint32_t u = 0; u < k; u++)
        a[u] = a[u] > b[u] ? a[u] : b[u];
}

/* The first entry of `done` below that of `need`, or ID_NONE. Most often there is none, which the first loop tells. */
static inline uint32_t clock_missing(const uint32_t *done, const uint32_t *need, uint32_t k)
{
    uint32_t missing = 0;
    for (uint32_t u = 0; u < k; u++)
        missing |= done[u] < need[u];
    if (!missing)
        return ID_NONE;
    for (uint32_t u = 0;; u++)
        if (done[u] < need[u])
            return u;
}

#endif
