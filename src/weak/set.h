/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of a part's operations, for the search of weak.h. Their width is fixed when the code is compiled, so that loops
 * over small sets have no overhead. The files of the search are compiled once per width (widths.def): by themselves,
 * and by words_1.c, words_16.c and words_64.c. WEAK_AT_WIDTH gives their functions a name per width. */
#ifndef ASSAY_WEAK_SET_H
#define ASSAY_WEAK_SET_H

#include "base/bitset.h"
#include "base/keyed.h"
#include "base/memo.h"
#include "weak/weak.h"

#ifndef WEAK_WORDS
#define WEAK_WORDS 4
#endif
#define WEAK_NAMED(name, words) name##_##words
#define WEAK_NAME(name, words) WEAK_NAMED(name, words)
#define WEAK_AT_WIDTH(name) WEAK_NAME(name, WEAK_WORDS)

enum { WORDS = WEAK_WORDS, SET_MOST = WORDS * 64 };

struct set {
    uint64_t w[WORDS];
};

static inline bool set_has(const struct set *s, uint32_t i)
{
    return bitset_has(s->w, i);
}

static inline void set_add(struct set *s, uint32_t i)
{
    bitset_add(s->w, i);
}

static inline void set_drop(struct set *s, uint32_t i)
{
    bitset_remove(s->w, i);
}

static inline void set_join(struct set *to, const struct set *from)
{
    for (uint32_t w = 0; w < WORDS; w++)
        to->w[w] |= from->w[w];
}

static inline void set_meet(struct set *to, const struct set *with)
{
    for (uint32_t w = 0; w < WORDS; w++)
        to->w[w] &= with->w[w];
}

static inline void set_less(struct set *from, const struct set *what)
{
    for (uint32_t w = 0; w < WORDS; w++)
        from->w[w] &= ~what->w[w];
}

static inline bool set_within(const struct set *a, const struct set *b)
{
    uint64_t more = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        more |= a->w[w] & ~b->w[w];
    return !more;
}

static inline uint32_t set_size(const struct set *s)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        n += (uint32_t)__builtin_popcountll(s->w[w]);
    return n;
}

static inline void set_put(const struct set *s, struct keyed *into)
{
    for (uint32_t w = 0; w < WORDS; w++)
        keyed_put(into, s->w[w]);
}

/* For each element, of the set as it is when a word of it is come to. */
#define SET_EACH(i, set) BITSET_EACH (i, i##_word, WORDS, (set)->w[i##_word])

#endif
