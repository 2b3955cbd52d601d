/* SPDX-License-Identifier: Apache-2.0 */
/* A map from values to values with a digest of its content, for states of specifications.
 *
 * Open addressing with linear probing, in an array whose copies share what they have in common (persistent.h). A key
 * that was taken out keeps its slot, without a value: a state is changed and restored all the time, and the key comes
 * back to its place. Such dead slots go whenever the table is built anew, which happens before they fill it, and once
 * they are seven times as many as the others. So the table is as large as the content was lately, and not as the number
 * of keys that ever were. Invariant: the digest is the sum of the hashes of the pairs that have a value, and `size` is
 * their number. Other contents of the table, and all places in it, cannot be observed. The texts of dead keys may be
 * gone: they are never looked at, because a key with a number is found by its number. */
#ifndef ASSAY_SPEC_STORE_H
#define ASSAY_SPEC_STORE_H

#include "spec/digest.h"
#include "spec/persistent.h"
#include "spec/printed.h"

struct store_pair {
    assay_value key, value; /* no key: a free slot; no value: the key is not in the map */
};

struct store {
    struct digest digest;
    assay_memory *memory;
    struct persistent slots; /* struct store_pair */
    uint32_t mask, used;     /* slots - 1; slots with a key */
    uint32_t size;
};

static inline const struct store_pair *store_slot(const struct store *s, uint32_t i)
{
    return persistent_at(&s->slots, struct store_pair, i);
}

void store_init(struct store *s, assay_memory *m);
void store_init_copy(struct store *s, const struct store *from, assay_memory *m);
void store_free(struct store *s);

assay_value store_get(const struct store *s, assay_value key);              /* ASSAY_NONE: not there */
assay_value store_set(struct store *s, assay_value key, assay_value value); /* returns the old; ASSAY_NONE removes */

/* A store of counts: how often each key is in, 0 where it has no value. */
static inline int64_t store_count(const struct store *s, assay_value key)
{
    return store_get(s, key).integer;
}

static inline void store_set_count(struct store *s, assay_value key, int64_t n)
{
    store_set(s, key, n ? assay_int(n) : (assay_value){0});
}

static inline void store_add(struct store *s, assay_value key, int64_t change)
{
    store_set_count(s, key, store_count(s, key) + change);
}

/* Is the value a list of the keys that have a value, each of them once, in any order? */
bool store_has_exactly(const struct store *s, assay_value list);
/* These keys, `size` of them, in the order of printing. */
void store_list_keys(const struct store *s, assay_value *out);

/* The initial content of a set of values, in which each is at most `most` times. A value that is a key is in as often
 * as the binding says: store_content lists it so. */
void store_init_counts(struct store *s, const assay_setting *setting, assay_value key, assay_memory *m, int64_t most);

/* Hooks of assay_spec, for objects whose state is a store. */
void *store_copy(const void *state, assay_memory *m);
void store_destroy(void *state, assay_memory *m);

/* The same for objects whose state begins with a store. */
bool store_same(const void *a, const void *b);
/* "{x=1, y=2}", by key; or only the keys, "{x, y}". */
size_t store_describe(const void *state, char *out, size_t size);
size_t store_describe_keys(const void *state, char *out, size_t size);
/* The values under their keys. */
void store_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);

#define STORE_HOOKS                                                                                                    \
    .copy = store_copy, .destroy = store_destroy, .digest = digest_at_start, .equal = store_same,                      \
    .content = store_content

#endif
