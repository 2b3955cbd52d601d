/* SPDX-License-Identifier: Apache-2.0 */
/* Hashing: a mixer for integers and a hash for bytes, for digests in files and for seeds. They are the same in every
 * run and on every machine. Also a map from 64-bit keys to 32-bit ids.
 *
 * The map is open addressing with linear probing over a power of two, at most half full. Keys may be chosen by the
 * author of a history, so their places come from keyed.h. No output depends on the places, since no code walks through
 * a map. Many keys are numbers that were counted: small ones, as long as they are dense, have a table and no hash. */
#ifndef ASSAY_BASE_HASH_H
#define ASSAY_BASE_HASH_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ID_NONE UINT32_MAX

/* n ids, all of them ID_NONE. */
static inline uint32_t *mem_new_ids(struct mem *m, size_t n)
{
    return memset(mem_new(m, uint32_t, n), 0xFF, n * sizeof(uint32_t));
}

static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return x ^ (x >> 32);
}

static inline uint64_t hash_join(uint64_t a, uint64_t b)
{
    return hash_mix(a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2)));
}

uint64_t hash_bytes(const void *bytes, size_t length);

struct idmap {
    uint32_t *dense; /* the ids of the keys below dense_n, or ID_NONE: it is absent, or came too early for the table */
    uint32_t dense_n;
    struct idmap_slot *slots;
    uint32_t mask;      /* number of slots - 1, or 0 when empty */
    uint32_t hashed, n; /* keys in slots; all keys */
};

struct idmap_slot {
    uint64_t key;
    uint32_t id; /* ID_NONE: free */
};

uint32_t idmap_get(const struct idmap *m, uint64_t key); /* ID_NONE when absent */

/* Where the id of key is stored, absent ones added as ID_NONE; the caller must set it before the next call. */
uint32_t *idmap_at(struct mem *mem, struct idmap *m, uint64_t key);

void idmap_free(struct mem *mem, struct idmap *m); /* it is empty then */

#endif
