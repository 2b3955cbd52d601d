/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence with a gap: the states of a queue, stack or deque whose initial content may be any (`@init ?`).
 *
 * The initial content stands in the gap. Values that are added lie before or behind it. So a state stands for all
 * sequences that some content makes of it. A step is one that some of these sequences can take:
 *   - A call at an end that has a known value does as it would in a plain sequence.
 *   - Else it meets the gap. A removal takes any value out of the gap, and the rest of the gap is any content again. A
 *     peek shows any value, which is known from then on: it moves out of the gap.
 *   - Or there is nothing in the gap any more. Then it is closed, and the call does as in the sequence without it.
 * So nothing has to be guessed in advance: the recorded result says which value the call took. Where that value is also
 * the first one behind the gap, the call has two outcomes. A removal whose result is not known need not take a value
 * out of the gap. If it does it leaves the state as it was, as if it had not taken effect.
 *
 * Invariant: the first `before` values of the sequence lie before the gap. Once it is closed, `before` stays as it is
 * until the closing is undone. */
#ifndef ASSAY_SPEC_GAPPED_H
#define ASSAY_SPEC_GAPPED_H

#include "spec/sequence.h"

struct gapped {
    struct sequence *known;
    size_t before;
    bool closed;
};

/* Hooks of assay_spec. */
void *gapped_create(enum sequence_ends ends, assay_memory *m); /* part of one: the only initial value is `?` */
assay_effect gapped_step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved);
void gapped_undo(void *state, const assay_call *call, const assay_saved *saved);
unsigned gapped_choices(const void *state, const assay_call *call);
void *gapped_copy(const void *state, assay_memory *m);
void gapped_destroy(void *state, assay_memory *m);
void gapped_digest(const void *state, uint64_t out[2]);
bool gapped_same(const void *a, const void *b);
size_t gapped_describe(const void *state, char *out, size_t size);

#define GAPPED_HOOKS                                                                                                   \
    .refuse = collection_refuse_setting, .copy = gapped_copy, .destroy = gapped_destroy, .step = gapped_step,          \
    .undo = gapped_undo, .choices = gapped_choices, .digest = gapped_digest, .equal = gapped_same,                     \
    .describe = gapped_describe

#endif
