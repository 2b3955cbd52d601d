/* SPDX-License-Identifier: Apache-2.0 */
/* A state that is one value: the common part of register and cas-register (REGISTER_* of roles.h). */
#ifndef ASSAY_SPEC_CELL_H
#define ASSAY_SPEC_CELL_H

#include "spec/facts.h"
#include "spec/roles.h"
#include "spec/settings.h"

struct cell {
    assay_value value;
};

/* Writes v; ASSAY_SAME if it was there already. */
assay_effect cell_write(struct cell *c, assay_value v, assay_saved *saved);

/* Hooks of assay_spec; `@init 5`, or 0. */
assay_effect cell_step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved);
void *cell_create(const assay_setting *setting, assay_value key, assay_memory *m);
void *cell_copy(const void *state, assay_memory *m);
void cell_destroy(void *state, assay_memory *m);
void cell_undo(void *state, const assay_call *call, const assay_saved *saved);
void cell_digest(const void *state, uint64_t out[2]);
bool cell_same(const void *a, const void *b);
size_t cell_describe(const void *state, char *out, size_t size);
void cell_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);

/* The facts of register, cas-register and memory: methods have the same numbers, and the values are the last arguments.
 * The initial value of a variable counts more than an initial value of all variables; otherwise the last one counts. */
struct cell_access cell_access(const assay_call *call);
assay_value cell_initial(const assay_setting *s, assay_value key);

/* All but the step: that of cas-register is another one. */
#define CELL_HOOKS                                                                                                     \
    .refuse = settings_single, .create = cell_create, .copy = cell_copy, .destroy = cell_destroy, .undo = cell_undo,   \
    .digest = cell_digest, .equal = cell_same, .describe = cell_describe, .content = cell_content

#define CELL_FACTS                                                                                                     \
    .family = FAMILY_REGISTER, .blank = true, .any = ANY_CELL, .labels = labels_of_register, .cell = cell_access,      \
    .cell_initial = cell_initial

#endif
