/* SPDX-License-Identifier: Apache-2.0 */
/* stack: last in, first out. The top is the back of the sequence, so @init lists a stack from the bottom. */
#include "spec/facts.h"
#include "spec/gapped.h"

static const assay_method methods[] = {
    {"push", "push(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"add", "add(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"pop", "pop() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"remove", "remove() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"rem", "rem() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"rm", "rm() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"peek", "peek() => value or empty", COLLECTION_PEEK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"top", "top() => value or empty", COLLECTION_PEEK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return sequence_create(ENDS_STACK, setting, m);
}

const assay_spec spec_stack = {
    .version = ASSAY_SPEC_VERSION,
    .name = "stack",
    .title = "last in, first out",
    .methods = methods,
    .create = create,
    SEQUENCE_HOOKS,
    .refuse_call = collection_refuse_call,
    .cut = collection_cut,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};

const struct object_facts facts_stack = {
    .spec = &spec_stack,
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
    return gapped_create(ENDS_STACK, m);
}

/* The known values lie on top of the gap: a call finds a value or `empty` there, never both. */
const assay_spec stack_of_any = {
    .version = ASSAY_SPEC_VERSION,
    .name = "stack",
    .title = "last in, first out",
    .methods = methods,
    .create = create_of_any,
    GAPPED_HOOKS,
    .refuse_call = collection_refuse_call,
    .cut = collection_cut,
};
