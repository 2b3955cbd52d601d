/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens that were seen a short while ago, and their meaning to the reader. A line of a log mostly repeats names of the
 * lines before it.
 *
 * A token of at most 16 bytes is two words; no byte of it is 0, so they tell its length, too. It has two places, which
 * depend on its bytes only; later tokens may take them. So a log can at worst be such that nothing is found here, and
 * then names are looked up as ever. */
#ifndef ASSAY_FORMAT_SEEN_H
#define ASSAY_FORMAT_SEEN_H

#include "base/eight.h"
#include "base/mem.h"

#include <stdbool.h>

struct token_key {
    uint64_t low, high; /* the bytes, with zeros behind them */
};

struct seen_entry {
    struct token_key key; /* of zeros: free */
    uint32_t id[2];       /* the meaning */
};

struct seen {
    struct seen_entry *at; /* two by two */
    unsigned bits;         /* of the number of pairs */
};

static inline struct seen seen_new(struct mem *m, unsigned bits)
{
    return (struct seen){mem_new_zero(m, struct seen_entry, (size_t)2 << bits), bits};
}

/* The pair where the token is, if it is known. */
static inline struct seen_entry *seen_pair(const struct seen *s, struct token_key k)
{
    uint64_t mixed = (k.low ^ k.high * 0xBF58476D1CE4E5B9u) * 0x9E3779B97F4A7C15u;
    return &s->at[mixed >> (64 - s->bits) << 1];
}

static inline bool seen_is(const struct seen_entry *e, struct token_key k)
{
    return e->key.low == k.low && e->key.high == k.high;
}

/* The newer one of a pair stands first. */
static inline const uint32_t *seen_put(struct seen_entry *pair, struct token_key k, const uint32_t id[2])
{
    pair[1] = pair[0];
    pair[0] = (struct seen_entry){k, {id[0], id[1]}};
    return pair[0].id;
}

#endif
