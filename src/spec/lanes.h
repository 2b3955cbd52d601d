/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of a digest, and how values go into them.
 *
 * A state's digest must be cheap to keep up to date when the state changes, and must depend on nothing but its content.
 *   unordered content (sets, maps)    the sum of the entries' hashes: adding and taking away are inverse, in any order
 *   ordered content (queues, texts)   a polynomial in a fixed base whose coefficients are the hashes of the elements,
 *                                     modulo the prime 2^61 - 1, where the base has an inverse: elements can be added
 *                                     and taken away at either end (Karp and Rabin 1987)
 * Both halves are computed the same way from hashes and bases that have nothing to do with each other.
 *
 * Texts go by their numbers where they have one, so numbered and unnumbered texts must not be mixed in one state. */
#ifndef ASSAY_SPEC_LANES_H
#define ASSAY_SPEC_LANES_H

#include "assay.h"
#include "base/hash.h"

#define LANES_PRIME (((uint64_t)1 << 61) - 1)

struct lanes {
    uint64_t at[2];
};

static inline struct lanes lanes_of_number(uint64_t x)
{
    return (struct lanes){{hash_mix(x + 0x2545F4914F6CDD1Du), hash_mix((x ^ 0xD6E8FEB86659FD93u) * 0xA24BAED4963EE407u)}};
}

static inline struct lanes lanes_of_value(assay_value v)
{
    bool numbered = v.kind == ASSAY_INT || v.integer;
    uint64_t bits = numbered ? (uint64_t)v.integer : v.kind == ASSAY_NONE ? 0 : hash_bytes(v.text, v.length);
    struct lanes l = lanes_of_number(bits);
    l.at[0] = hash_join(l.at[0], v.kind);
    l.at[1] = hash_join(l.at[1], v.kind);
    return l;
}

static inline struct lanes lanes_join(struct lanes x, struct lanes y)
{
    return (struct lanes){{hash_join(x.at[0], y.at[0]), hash_join(x.at[1], y.at[1])}};
}

/* ---- sums ---- */

static inline void lanes_add(struct lanes *sum, struct lanes x)
{
    sum->at[0] += x.at[0];
    sum->at[1] += x.at[1];
}

static inline void lanes_take(struct lanes *sum, struct lanes x)
{
    sum->at[0] -= x.at[0];
    sum->at[1] -= x.at[1];
}

/* ---- polynomials: all numbers are below the prime ---- */

static inline uint64_t lanes_reduce(uint64_t x)
{
    x = (x & LANES_PRIME) + (x >> 61);
    return x >= LANES_PRIME ? x - LANES_PRIME : x;
}

static inline struct lanes lanes_coefficients(struct lanes x)
{
    return (struct lanes){{lanes_reduce(x.at[0]), lanes_reduce(x.at[1])}};
}

/* With a = a1 * 2^31 + a0 and b alike, the product is a1 b1 * 2^62 + middle * 2^31 + a0 b0, where 2^61 counts as 1. */
static inline uint64_t lanes_times_one(uint64_t a, uint64_t b)
{
    uint64_t low = ((uint64_t)1 << 31) - 1, a1 = a >> 31, a0 = a & low, b1 = b >> 31, b0 = b & low;
    uint64_t middle = a1 * b0 + a0 * b1;
    return lanes_reduce(2 * a1 * b1 + (middle >> 30) + ((middle & (low >> 1)) << 31) + a0 * b0);
}

static inline struct lanes lanes_times(struct lanes x, struct lanes y)
{
    return (struct lanes){{lanes_times_one(x.at[0], y.at[0]), lanes_times_one(x.at[1], y.at[1])}};
}

static inline struct lanes lanes_plus(struct lanes x, struct lanes y)
{
    return (struct lanes){{lanes_reduce(x.at[0] + y.at[0]), lanes_reduce(x.at[1] + y.at[1])}};
}

static inline struct lanes lanes_minus(struct lanes x, struct lanes y)
{
    return (struct lanes){{lanes_reduce(x.at[0] + LANES_PRIME - y.at[0]), lanes_reduce(x.at[1] + LANES_PRIME - y.at[1])}};
}

static const struct lanes lanes_one = {{1, 1}};
static const struct lanes lanes_base = {{0x1D51F70F74C2566Du, 0x2D0DA0251F952B0u}};
static const struct lanes lanes_inverse = {{0x1CA1130F827C0B7Du, 0xB8ADF5837816DD5u}}; /* of the base */

#endif
