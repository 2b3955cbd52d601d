/* SPDX-License-Identifier: Apache-2.0 */
/* queue: first in, first out. */
#include "spec/facts.h"
#include "spec/gapped.h"

static const assay_method methods[] = {
    {"enq", "enq(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"enqueue", "enqueue(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"offer", "offer(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"add", "add(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    QUEUE_REMOVALS,
    {0},
};

static const char *refuse_call(const assay_call *call)
{
    if (call->method == COLLECTION_ADD && assay_value_same(call->result, assay_word("full")))
        return "a queue without bounds is never full; `queue(3)` is one with room for 3 values";
    return collection_refuse_call(call);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    return sequence_step(state, call->method, call->method != COLLECTION_ADD, call, result, saved);
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    sequence_undo(state, call->method, call->method != COLLECTION_ADD, saved);
}

const assay_spec spec_queue = {
    .version = ASSAY_SPEC_VERSION,
    .name = "queue",
    .title = "first in, first out",
    .methods = methods,
    SEQUENCE_HOOKS,
    .refuse_call = refuse_call,
    .step = step,
    .undo = undo,
    .cut = collection_cut,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};

const struct object_facts facts_queue = {
    .spec = &spec_queue,
    .family = FAMILY_SEQUENCE,
    .never_blocks = true,
    .blank = true,
    .any = ANY_CONTENT,
    .labels = labels_of_collection,
};

/* ---- of any content ---- */

static assay_effect step_of_any(void *state, const assay_call *call, unsigned choice, assay_value *result,
                                assay_saved *saved)
{
    return gapped_step(state, call->method, call->method != COLLECTION_ADD, call, choice, result, saved);
}

static void undo_of_any(void *state, const assay_call *call, const assay_saved *saved)
{
    gapped_undo(state, call->method != COLLECTION_ADD, saved);
}

static unsigned choices_of_any(const void *state, const assay_call *call)
{
    return gapped_choices(state, call->method, call->method != COLLECTION_ADD, call);
}

const assay_spec queue_of_any = {
    .version = ASSAY_SPEC_VERSION,
    .name = "queue",
    .title = "first in, first out",
    .methods = methods,
    GAPPED_HOOKS,
    .refuse_call = refuse_call,
    .step = step_of_any,
    .undo = undo_of_any,
    .choices = choices_of_any,
    .cut = collection_cut,
};
