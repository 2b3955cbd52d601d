/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence of values that grows and shrinks at both ends, with a digest of its content, for states of specifications.
 *
 * A ring buffer. Invariant: with n values v_0 (the front) ... v_(n-1), `digest` is the polynomial sum of
 * hash(v_i) * base^i, and `power` is base^n (lanes.h). So pushing at the front multiplies by the base, and popping there
 * by its inverse; the back only adds and takes away a term. An element keeps its hash, so that popping computes none; nor does
 * pushing one back into the place that it was popped from, which is how most steps are undone. */
#ifndef ASSAY_SPEC_SEQUENCE_H
#define ASSAY_SPEC_SEQUENCE_H

#include "spec/lanes.h"

struct element {
    assay_value value;
    struct lanes hash; /* a coefficient of the polynomial */
};

struct sequence {
    assay_memory *memory;
    struct element *ring;     /* zeroed where nothing has been */
    size_t mask, front, size; /* room - 1; where the front is in the ring */
    struct lanes digest, power;
};

void sequence_push_front(struct sequence *s, assay_value v);
void sequence_push_back(struct sequence *s, assay_value v);
assay_value sequence_pop_front(struct sequence *s); /* of a sequence that is not empty */
assay_value sequence_pop_back(struct sequence *s);

static inline assay_value sequence_at(const struct sequence *s, size_t i) /* 0: the front */
{
    return s->ring[(s->front + i) & s->mask].value;
}

/* Hooks of assay_spec, for objects whose state is a sequence; @init lists it from front to back. */
void *sequence_create(const assay_setting *setting, assay_value key, assay_memory *m);
void *sequence_copy(const void *state, assay_memory *m);
void sequence_destroy(void *state, assay_memory *m);
void sequence_digest(const void *state, uint64_t out[2]);
bool sequence_same(const void *a, const void *b);
size_t sequence_describe(const void *state, char *out, size_t size);

#endif
