/* SPDX-License-Identifier: Apache-2.0 */
/* deque: a queue with two ends. */
#include "spec/facts.h"
#include "spec/gapped.h"

#define ADDS(name, id)                                                                                                 \
    {                                                                                                                  \
        name, name "(value)", id, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL                                               \
    }
#define REMOVES(name, id)                                                                                              \
    {                                                                                                                  \
        name, name "() => value or empty", id, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED                                  \
    }

static const assay_method methods[] = {
    ADDS("push-front", DEQUE_PUSH_FRONT),
    ADDS("push-back", DEQUE_PUSH_BACK),
    REMOVES("pop-front", DEQUE_POP_FRONT),
    REMOVES("pop-back", DEQUE_POP_BACK),
    REMOVES("peek-front", DEQUE_PEEK_FRONT),
    REMOVES("peek-back", DEQUE_PEEK_BACK),
    ADDS("add-first", DEQUE_PUSH_FRONT),
    ADDS("add-last", DEQUE_PUSH_BACK),
    ADDS("offer-first", DEQUE_PUSH_FRONT),
    ADDS("offer-last", DEQUE_PUSH_BACK),
    REMOVES("poll-first", DEQUE_POP_FRONT),
    REMOVES("poll-last", DEQUE_POP_BACK),
    REMOVES("peek-first", DEQUE_PEEK_FRONT),
    REMOVES("peek-last", DEQUE_PEEK_BACK),
    {0},
};

static enum collection_role role(const assay_call *call)
{
    return (enum collection_role)collection_role_of(call->method, true);
}

static bool front(const assay_call *call)
{
    return call->method % 2 == 0;
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

const struct object_facts facts_deque = {
    .spec = &spec_deque,
    .family = FAMILY_SEQUENCE,
    .never_blocks = true,
    .blank = true,
    .any = ANY_CONTENT,
    .labels = labels_of_collection,
    .two_ends = true,
};

/* ---- of any content ---- */

static assay_effect step_of_any(void *state, const assay_call *call, unsigned choice, assay_value *result,
                                assay_saved *saved)
{
    return gapped_step(state, role(call), front(call), call, choice, result, saved);
}

static void undo_of_any(void *state, const assay_call *call, const assay_saved *saved)
{
    gapped_undo(state, front(call), saved);
}

static unsigned choices_of_any(const void *state, const assay_call *call)
{
    return gapped_choices(state, role(call), front(call), call);
}

const assay_spec deque_of_any = {
    .version = ASSAY_SPEC_VERSION,
    .name = "deque",
    .title = "a queue with two ends",
    .methods = methods,
    GAPPED_HOOKS,
    .refuse_call = refuse_call,
    .step = step_of_any,
    .undo = undo_of_any,
    .choices = choices_of_any,
    .cut = cut,
};
