/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers modulo the prime 2^61 - 1, where every number but 0 has an inverse. All are below the prime. */
#ifndef ASSAY_BASE_PRIME61_H
#define ASSAY_BASE_PRIME61_H

#include <stdint.h>

#define PRIME61 (((uint64_t)1 << 61) - 1)

static inline uint64_t prime61_reduce(uint64_t x) /* of any number */
{
    x = (x & PRIME61) + (x >> 61);
    return x >= PRIME61 ? x - PRIME61 : x;
}

static inline uint64_t prime61_plus(uint64_t a, uint64_t b)
{
    return prime61_reduce(a + b);
}

static inline uint64_t prime61_minus(uint64_t a, uint64_t b)
{
    return prime61_reduce(a + PRIME61 - b);
}

/* With a = a1 * 2^31 + a0 and b alike, the product is a1 b1 * 2^62 + middle * 2^31 + a0 b0, where 2^61 counts as 1. */
static inline uint64_t prime61_times(uint64_t a, uint64_t b)
{
    uint64_t low = ((uint64_t)1 << 31) - 1, a1 = a >> 31, a0 = a & low, b1 = b >> 31, b0 = b & low;
    uint64_t middle = a1 * b0 + a0 * b1;
    return prime61_reduce(2 * a1 * b1 + (middle >> 30) + ((middle & (low >> 1)) << 31) + a0 * b0);
}

static inline uint64_t prime61_inverse(uint64_t a) /* a^(p - 2), as Fermat has it */
{
    uint64_t result = 1;
    for (uint64_t exponent = PRIME61 - 2; exponent; exponent >>= 1, a = prime61_times(a, a))
        if (exponent & 1)
            result = prime61_times(result, a);
    return result;
}

#endif
