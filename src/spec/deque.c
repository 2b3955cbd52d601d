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

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return sequence_create(ENDS_BOTH, setting, m);
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
    .create = create,
    SEQUENCE_HOOKS,
    .refuse_call = refuse_call,
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

static void *create_of_any(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)setting;
    (void)key;
    return gapped_create(ENDS_BOTH, m);
}

const assay_spec deque_of_any = {
    .version = ASSAY_SPEC_VERSION,
    .name = "deque",
    .title = "a queue with two ends",
    .methods = methods,
    .create = create_of_any,
    GAPPED_HOOKS,
    .refuse_call = refuse_call,
    .cut = cut,
};
