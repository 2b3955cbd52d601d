/* SPDX-License-Identifier: Apache-2.0 */
/* A state that is a variable for every key: the common part of memory and multi-register.
 *
 * The store holds only the variables that differ from the common initial value. So a variable that was never written
 * and one that was written back look the same. */
#ifndef ASSAY_SPEC_VARIABLES_H
#define ASSAY_SPEC_VARIABLES_H

#include "spec/store.h"

struct variables {
    struct store store;
    assay_value initial; /* of those that are not in the store */
};

/* `@init x=1`, `@init 5` for all others, else 0; with a key for that one only. */
void variables_init(struct variables *x, const assay_setting *setting, assay_value key, assay_memory *m);
void variables_init_copy(struct variables *x, const struct variables *from, assay_memory *m);

assay_value variables_get(const struct variables *x, assay_value variable);
void variables_set(struct variables *x, assay_value variable, assay_value v);
/* A hook of assay_spec, for objects whose state begins with variables; those of a store serve, too. */
size_t variables_describe(const void *state, char *out, size_t size);
void variables_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);

#endif
