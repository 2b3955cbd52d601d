/* SPDX-License-Identifier: Apache-2.0 */
/* A map from values to values with a digest of its content, for states of specifications.
 *
 * Open addressing with linear probing. A key that was taken out keeps its slot, without a value: a state is changed and
 * restored all the time, and a history has only so many keys. Invariant: the digest is the sum of the hashes of the
 * pairs that have a value, and `size` is their number; what else the table holds, and where, cannot be observed. */
#ifndef ASSAY_SPEC_STORE_H
#define ASSAY_SPEC_STORE_H

#include "spec/lanes.h"
#include "spec/printed.h"

struct store_pair {
    assay_value key, value; /* no key: a free slot; no value: the key is not in the map */
};

struct store {
    assay_memory *memory;
    struct store_pair *slots;
    uint32_t mask, used; /* slots - 1; slots with a key */
    uint32_t size;
    struct lanes digest;
};

void store_init(struct store *s, assay_memory *m);
void store_init_copy(struct store *s, const struct store *from, assay_memory *m);
void store_free(struct store *s);

assay_value store_get(const struct store *s, assay_value key);              /* ASSAY_NONE: not there */
assay_value store_set(struct store *s, assay_value key, assay_value value); /* returns the old; ASSAY_NONE removes */

bool store_equal(const struct store *a, const struct store *b);

/* "{x=1, y=2}", by key; or only the keys, "{x, y}". */
size_t store_describe(const struct store *s, char *out, size_t size);
size_t store_describe_keys(const struct store *s, char *out, size_t size);

/* Hooks of assay_spec, for objects whose state is a store. */
void *store_copy(const void *state, assay_memory *m);
void store_destroy(void *state, assay_memory *m);
void store_digest(const void *state, uint64_t out[2]);
bool store_same(const void *a, const void *b); /* store_equal */

#endif
