/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence of values that grows and shrinks at both ends, with a digest of its content, for states of specifications.
 *
 * A ring buffer, in an array whose copies share what they have in common (persistent.h). Invariant: with n values v_0
 * (the front) ... v_(n-1), `digest` is the polynomial sum of hash(v_i) * base^i, and `power` is base^n (digest.h). So
 * pushing at the front multiplies by the base, and popping there by its
 * inverse; the back only adds and takes away a term. An element keeps its hash, so that popping computes none. Pushing
 * one back into the place that it was popped from computes none, either; most steps are undone so. */
#ifndef ASSAY_SPEC_SEQUENCE_H
#define ASSAY_SPEC_SEQUENCE_H

#include "spec/collection.h"
#include "spec/digest.h"
#include "spec/persistent.h"

struct element {
    assay_value value;
    struct digest hash; /* a coefficient of the polynomial */
};

enum sequence_ends {
    ENDS_STACK, /* values are added at the back, removed there and looked at there */
    ENDS_QUEUE, /* added at the back, removed at the front */
    ENDS_BOTH   /* a deque: its methods name the end (DEQUE_* of roles.h) */
};

struct sequence {
    struct digest digest, power;
    enum sequence_ends ends;
    assay_memory *memory;
    struct persistent ring;   /* struct element; zeroed where nothing has been */
    size_t mask, front, size; /* room - 1; where the front is in the ring */
    size_t capacity;          /* for objects that have one; else 0 */
};

void sequence_push_front(struct sequence *s, assay_value v);
void sequence_push_back(struct sequence *s, assay_value v);
assay_value sequence_pop_front(struct sequence *s); /* of a sequence that is not empty */
assay_value sequence_pop_back(struct sequence *s);

static inline assay_value sequence_at(const struct sequence *s, size_t i) /* 0: the front */
{
    return persistent_at(&s->ring, struct element, (s->front + i) & s->mask)->value;
}

static inline void sequence_push(struct sequence *s, bool front, assay_value v)
{
    if (front)
        sequence_push_front(s, v);
    else
        sequence_push_back(s, v);
}

static inline assay_value sequence_pop(struct sequence *s, bool front)
{
    return front ? sequence_pop_front(s) : sequence_pop_back(s);
}

/* What a call does, and at which end: by its method and the kind of object. */
static inline enum collection_role sequence_role(const struct sequence *s, const assay_call *call)
{
    return (enum collection_role)collection_role_of(call->method, s->ends == ENDS_BOTH);
}

static inline bool sequence_at_front(const struct sequence *s, const assay_call *call)
{
    return s->ends == ENDS_BOTH ? call->method % 2 == 0 : s->ends == ENDS_QUEUE && call->method != COLLECTION_ADD;
}

/* Hooks of assay_spec, for objects whose state is a sequence; @init lists it from front to back. */
void *sequence_create(enum sequence_ends ends, const assay_setting *setting, assay_memory *m); /* part of one */
assay_effect sequence_step(void *state, const assay_call *call, unsigned choice, assay_value *result,
                           assay_saved *saved);
void sequence_undo(void *state, const assay_call *call, const assay_saved *saved);
void *sequence_copy(const void *state, assay_memory *m);
void sequence_destroy(void *state, assay_memory *m);
bool sequence_same(const void *a, const void *b);
size_t sequence_describe(const void *state, char *out, size_t size);
void sequence_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);

/* The names by which queues, with and without bounds, are taken from and looked at. */
#define QUEUE_REMOVALS                                                                                                 \
    {"deq", "deq() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},                     \
        {"dequeue", "dequeue() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},         \
        {"poll", "poll() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},               \
        {"remove", "remove() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},           \
        {"rem", "rem() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},                 \
        {"rm", "rm() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},                   \
    {                                                                                                                  \
        "peek", "peek() => value or empty", COLLECTION_PEEK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED                    \
    }

#define SEQUENCE_STATE_HOOKS                                                                                           \
    .copy = sequence_copy, .destroy = sequence_destroy, .undo = sequence_undo, .digest = digest_at_start,              \
    .equal = sequence_same, .describe = sequence_describe, .content = sequence_content

#define SEQUENCE_HOOKS .refuse = collection_refuse_setting, .step = sequence_step, SEQUENCE_STATE_HOOKS

#endif
