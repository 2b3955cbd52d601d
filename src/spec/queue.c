/* SPDX-License-Identifier: Apache-2.0 */
/* queue: first in, first out. */
#include "spec/collection.h"
#include "spec/sequence.h"

static const assay_method methods[] = {
    {"enq", "enq(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"enqueue", "enqueue(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"offer", "offer(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"add", "add(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"deq", "deq() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"dequeue", "dequeue() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"poll", "poll() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"remove", "remove() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"rem", "rem() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"rm", "rm() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"peek", "peek() => value or empty", COLLECTION_PEEK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct sequence *q = state;
    (void)choice;
    if (call->method == COLLECTION_ADD) {
        sequence_push_back(q, call->args[0]);
        return collection_added(call, result);
    }
    if (q->size == 0)
        return collection_empty(result);
    *result = sequence_at(q, 0);
    if (call->method == COLLECTION_PEEK)
        return ASSAY_SAME;
    saved->value = sequence_pop_front(q);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    if (call->method == COLLECTION_ADD)
        sequence_pop_back(state);
    else
        sequence_push_front(state, saved->value);
}

const assay_spec spec_queue = {
    .version = ASSAY_SPEC_VERSION,
    .name = "queue",
    .title = "first in, first out",
    .methods = methods,
    .refuse = collection_refuse_setting,
    .refuse_call = collection_refuse_call,
    .create = sequence_create,
    .copy = sequence_copy,
    .destroy = sequence_destroy,
    .step = step,
    .undo = undo,
    .digest = sequence_digest,
    .equal = sequence_same,
    .cut = collection_cut,
    .describe = sequence_describe,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};
