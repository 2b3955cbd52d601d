/* SPDX-License-Identifier: Apache-2.0 */
/* deque: a queue with two ends. */
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

static enum collection_role role(const assay_call *call)
{
    static const enum collection_role roles[] = {
        [PUSH_FRONT] = COLLECTION_ADD,  [PUSH_BACK] = COLLECTION_ADD,   [POP_FRONT] = COLLECTION_REMOVE,
        [POP_BACK] = COLLECTION_REMOVE, [PEEK_FRONT] = COLLECTION_PEEK, [PEEK_BACK] = COLLECTION_PEEK};
    return roles[call->method];
}

static bool front(const assay_call *call)
{
    return call->method == PUSH_FRONT || call->method == POP_FRONT || call->method == PEEK_FRONT;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    return sequence_step(state, role(call), front(call), call, result, saved);
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    sequence_undo(state, role(call), front(call), saved);
}

static const char *refuse_call(const assay_call *call)
{
    return role(call) == COLLECTION_ADD ? collection_refuse_add(call) : NULL;
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    return collection_cut_as(role(call), call, value);
}

const assay_spec spec_deque = {
    .version = ASSAY_SPEC_VERSION,
    .name = "deque",
    .title = "a queue with two ends",
    .methods = methods,
    SEQUENCE_HOOKS,
    .refuse_call = refuse_call,
    .step = step,
    .undo = undo,
    .cut = cut,
};
