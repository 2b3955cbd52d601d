/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: SplitMix64. Small, fast, the same sequence everywhere for a seed. */
#ifndef ASSAY_BASE_RNG_H
#define ASSAY_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 .. n-1; n > 0. The bias for n far below 2^64 is of no consequence here. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

#endif
