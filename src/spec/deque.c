/* SPDX-License-Identifier: Apache-2.0 */
/* deque: a queue with two ends. */
#include "spec/collection.h"
#include "spec/sequence.h"

enum { PUSH_FRONT, PUSH_BACK, POP_FRONT, POP_BACK, PEEK_FRONT, PEEK_BACK };

#define ADDS(name, id)                                                                                                 \
    {                                                                                                                  \
        name, name "(value)", id, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL                                               \
    }
#define REMOVES(name, id)                                                                                              \
    {                                                                                                                  \
        name, name "() => value or empty", id, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED                                  \
    }

static const assay_method methods[] = {
    ADDS("push-front", PUSH_FRONT),    ADDS("push-back", PUSH_BACK),      REMOVES("pop-front", POP_FRONT),
    REMOVES("pop-back", POP_BACK),     REMOVES("peek-front", PEEK_FRONT), REMOVES("peek-back", PEEK_BACK),
    ADDS("add-first", PUSH_FRONT),     ADDS("add-last", PUSH_BACK),       ADDS("offer-first", PUSH_FRONT),
    ADDS("offer-last", PUSH_BACK),     REMOVES("poll-first", POP_FRONT),  REMOVES("poll-last", POP_BACK),
    REMOVES("peek-first", PEEK_FRONT), REMOVES("peek-last", PEEK_BACK),   {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct sequence *s = state;
    (void)choice;
    switch (call->method) {
    case PUSH_FRONT: sequence_push_front(s, call->args[0]); return collection_added(call, result);
    case PUSH_BACK: sequence_push_back(s, call->args[0]); return collection_added(call, result);
    }
    if (s->size == 0)
        return collection_empty(result);
    bool front = call->method == POP_FRONT || call->method == PEEK_FRONT;
    *result = sequence_at(s, front ? 0 : s->size - 1);
    if (call->method == PEEK_FRONT || call->method == PEEK_BACK)
        return ASSAY_SAME;
    saved->value = front ? sequence_pop_front(s) : sequence_pop_back(s);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    switch (call->method) {
    case PUSH_FRONT: sequence_pop_front(state); break;
    case PUSH_BACK: sequence_pop_back(state); break;
    case POP_FRONT: sequence_push_front(state, saved->value); break;
    case POP_BACK: sequence_push_back(state, saved->value); break;
    }
}

static const char *refuse_call(const assay_call *call)
{
    bool adds = call->method == PUSH_FRONT || call->method == PUSH_BACK;
    return adds ? collection_refuse_add(call) : NULL;
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    static const enum collection_role roles[] = {COLLECTION_ADDS,    COLLECTION_ADDS,  COLLECTION_REMOVES,
                                                 COLLECTION_REMOVES, COLLECTION_LOOKS, COLLECTION_LOOKS};
    return collection_cut_as(roles[call->method], call, value);
}

const assay_spec spec_deque = {
    .version = ASSAY_SPEC_VERSION,
    .name = "deque",
    .title = "a queue with two ends",
    .methods = methods,
    .refuse = collection_refuse_setting,
    .refuse_call = refuse_call,
    .create = sequence_create,
    .copy = sequence_copy,
    .destroy = sequence_destroy,
    .step = step,
    .undo = undo,
    .digest = sequence_digest,
    .equal = sequence_same,
    .cut = cut,
    .describe = sequence_describe,
};
