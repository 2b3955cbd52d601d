/* SPDX-License-Identifier: Apache-2.0 */
/* Bitsets: rows of 64-bit words. */
#ifndef ASSAY_BASE_BITSET_H
#define ASSAY_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bitset_words(size_t bits)
{
    return (bits + 63) / 64;
}

static inline bool bitset_has(const uint64_t *s, size_t i)
{
    return s[i / 64] >> (i % 64) & 1;
}

static inline void bitset_add(uint64_t *s, size_t i)
{
    s[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bitset_remove(uint64_t *s, size_t i)
{
    s[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* a |= b; true if a grew. */
static inline bool bitset_join(uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t grown = 0;
    for (size_t i = 0; i < words; i++) {
        grown |= b[i] & ~a[i];
        a[i] |= b[i];
    }
    return grown != 0;
}

/* For each element of a set of which `word` words are given one by one: BITSET_EACH (i, w, words, a[w] & ~b[w]) {...}.
 * A word is computed once, before its elements are visited; so they may be taken out meanwhile. */
#define BITSET_EACH(i, w, words, word)                                                                                 \
    for (uint32_t w = 0, i; w < (words); w++)                                                                          \
        for (uint64_t i##_rest = (word); i##_rest && (i = 64 * w + (uint32_t)__builtin_ctzll(i##_rest), true);         \
             i##_rest &= i##_rest - 1)

/* The lowest element at or above `from`, or `bits` when there is none. */
size_t bitset_next(const uint64_t *s, size_t bits, size_t from);
size_t bitset_count(const uint64_t *s, size_t bits);

#endif
