/* SPDX-License-Identifier: Apache-2.0 */
/* A set of small integers that hands out its least element: a bitset with a summary bitset above it. So finding the
 * next element skips 4096 absent ones at a time. */
#ifndef ASSAY_BASE_DIRTY_H
#define ASSAY_BASE_DIRTY_H

#include "base/bitset.h"
#include "base/hash.h"
#include "base/mem.h"

struct dirty {
    uint64_t *bits, *summary;
    size_t words, low; /* no element is in a word below `low` */
};

static inline struct dirty dirty_new(struct mem *m, size_t n)
{
    size_t words = bitset_words(n) + 1;
    return (struct dirty){mem_new_zero(m, uint64_t, words), mem_new_zero(m, uint64_t, bitset_words(words) + 1), words,
                          words};
}

static inline void dirty_add(struct dirty *d, uint32_t i)
{
    size_t word = i / 64;
    bitset_add(d->bits, i);
    bitset_add(d->summary, word);
    if (word < d->low)
        d->low = word;
}

/* Takes the least element out; ID_NONE when there is none. */
static inline uint32_t dirty_take(struct dirty *d)
{
    size_t word = d->low < d->words && d->bits[d->low] ? d->low : bitset_next(d->summary, d->words, d->low);
    d->low = word;
    if (word >= d->words)
        return ID_NONE;
    uint64_t bits = d->bits[word];
    uint32_t i = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(bits));
    d->bits[word] = bits & (bits - 1);
    if (!d->bits[word])
        bitset_remove(d->summary, word);
    return i;
}

#endif
