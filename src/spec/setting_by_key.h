/* SPDX-License-Identifier: Apache-2.0 */
/* The initial values of an object, by the key that they concern.
 *
 * A part of an object has few of them, and an object has as many parts as keys. Were each part to look through all of
 * them, a memory of n variables would take n^2 steps. So they are sorted by key once. The setting of a key
 * has the bindings of that key; in a list without keys (`@init [1, 2]`) these are the values that equal it. The last
 * value without a key is always among them: it may stand for all variables (`@init 5`).
 *
 * The library's own objects make the same state of a key from its setting as from the whole. The objects of users are
 * not asked to: they always get the whole. */
#ifndef ASSAY_SPEC_SETTING_BY_KEY_H
#define ASSAY_SPEC_SETTING_BY_KEY_H

#include "history/value_ids.h"
#include "spec/spec.h"

struct setting_by_key {
    const assay_setting *whole;
    bool sorted;               /* else every key has the whole */
    struct value_ids number;   /* of a key with bindings */
    const assay_binding *init; /* by key; the one without a key, if any, stands before those of each key */
    uint32_t *at;              /* of key i: init[at[i] .. at[i + 1]) */
    size_t for_all;            /* 1 if there is a value without a key; it is init[0] */
};

/* Memory from m; may escape. The object must outlive the result. */
struct setting_by_key setting_by_key(const struct object_use *use, struct mem *m);
/* Of a part with this key; ASSAY_NONE: of the whole object. */
assay_setting setting_of_key(const struct setting_by_key *s, struct value key);

#endif
