/* SPDX-License-Identifier: Apache-2.0 */
/* A state that is one number: counters, locks and semaphores. */
#ifndef ASSAY_SPEC_NUMBER_H
#define ASSAY_SPEC_NUMBER_H

#include "assay_spec.h"

struct number {
    int64_t value;
};

/* Sets it; ASSAY_SAME if it was that already. */
assay_effect number_set(struct number *x, int64_t value, assay_saved *saved);

/* Says `true` and sets it, if it can be; else says `false`. */
assay_effect number_try(struct number *x, bool can, int64_t value, assay_value *result, assay_saved *saved);

/* Hooks of assay_spec. */
/* `@init 5`, else the parameter, else 0. */
void *number_create(const assay_setting *setting, assay_value key, assay_memory *m);
void *number_copy(const void *state, assay_memory *m);
void number_destroy(void *state, assay_memory *m);
void number_undo(void *state, const assay_call *call, const assay_saved *saved);
void number_digest(const void *state, uint64_t out[2]);
bool number_same(const void *a, const void *b);
size_t number_describe(const void *state, char *out, size_t size);
void number_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);
assay_cut number_cut_failed(const assay_call *call, assay_value *value); /* a call that returned `false`, alone */

#define NUMBER_HOOKS                                                                                                   \
    .copy = number_copy, .destroy = number_destroy, .undo = number_undo, .digest = number_digest,                      \
    .equal = number_same, .content = number_content

#endif
