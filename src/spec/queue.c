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

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return sequence_create(ENDS_QUEUE, setting, m);
}

const assay_spec spec_queue = {
    .version = ASSAY_SPEC_VERSION,
    .name = "queue",
    .title = "first in, first out",
    .methods = methods,
    .create = create,
    SEQUENCE_HOOKS,
    .refuse_call = refuse_call,
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

static void *create_of_any(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)setting;
    (void)key;
    return gapped_create(ENDS_QUEUE, m);
}

const assay_spec queue_of_any = {
    .version = ASSAY_SPEC_VERSION,
    .name = "queue",
    .title = "first in, first out",
    .methods = methods,
    .create = create_of_any,
    GAPPED_HOOKS,
    .refuse_call = refuse_call,
    .cut = collection_cut,
};
