/* SPDX-License-Identifier: Apache-2.0 */
/* The holders of a lock or a semaphore, and their tags.
 *
 * A call that takes it may bear a tag, and a release may return the tag of the holder that it released. (Emmi et
 * al., PLDI 2015, Examples 5.2 and 5.3.) A holder without a tag is released by a release without one. A release without
 * a tag, be it that it has none or that it is not known, releases any holder.
 *
 * So the state is a set of possible sets of holders, and stays one that can be written down. Each release without a tag
 * says that of all holders so far one is gone. Holders without a tag go first: no other release can name them. The
 * tags stand in the order in which they were taken, each with `most`. So many at most of the tags up to it hold it. The
 * bounds grow, and tags with equal bounds are not told apart. The last bound is the number of tags that hold it. */
#ifndef ASSAY_SPEC_HOLDERS_H
#define ASSAY_SPEC_HOLDERS_H

#include "spec/facts.h"

struct holders;

/* The setting's initial values are those of holders_content. */
void *holders_new(int64_t limit, const assay_setting *setting, assay_memory *m);

/* Effects of calls, whose first argument, if there is one, is the tag. */
assay_effect holders_take(struct holders *h, const assay_call *call, assay_saved *saved);
assay_effect holders_try(struct holders *h, const assay_call *call, assay_value *result, assay_saved *saved);
/* If the call's result is a tag, its holder is released. Else any is, and the answer is the tag of one that may be:
 * `choice` says which. */
assay_effect holders_release(struct holders *h, const assay_call *call, unsigned choice, assay_value *result,
                             assay_saved *saved);

/* Hooks of assay_spec. */
void *holders_copy(const void *state, assay_memory *m);
void holders_destroy(void *state, assay_memory *m);
void holders_undo(void *state, const assay_call *call, const assay_saved *saved);
void holders_digest(const void *state, uint64_t out[2]);
bool holders_same(const void *a, const void *b);
/* "2", or with tags "1 [7, 8] 1": of 7 and 8 one holds it, beside one without a tag. */
size_t holders_describe(const void *state, char *out, size_t size);
/* "free", "held", "held by 7". */
size_t holders_describe_lock(const void *state, char *out, size_t size);

/* Each tag with its bound, and the number of holders without a tag under no key. */
void holders_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);

/* Facts of a lock and a semaphore, whose methods have the same numbers. */
struct amount holders_amount(const assay_setting *s, assay_value key, uint32_t which);
struct amount_use holders_use(const assay_call *call, const struct amount *a, uint32_t which);

#define HOLDERS_HOOKS                                                                                                  \
    .copy = holders_copy, .destroy = holders_destroy, .undo = holders_undo, .digest = holders_digest,                  \
    .equal = holders_same, .content = holders_content

#endif
