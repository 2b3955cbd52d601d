/* SPDX-License-Identifier: Apache-2.0 */
/* bounded-queue(n), or queue(n): first in, first out, with room for n values. An enq that finds it full returns `full`,
 * or `false`, and changes nothing; else it returns `ok`, or `true`. A put that waits for room returns `ok`, too: it
 * takes effect when there is some.
 *
 * The calls of a value may not be left out together, as in a queue without bounds: a `full` may depend on them. */
#include "spec/facts.h"
#include "spec/outcome.h"
#include "spec/sequence.h"

static const assay_method methods[] = {
    {"enq", "enq(value) => ok or full", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"enqueue", "enqueue(value) => ok or full", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"offer", "offer(value) => true or false", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"add", "add(value) => ok or full", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    QUEUE_REMOVALS,
    {0},
};

static bool says_full(assay_value result)
{
    return assay_value_same(result, assay_word("full")) || assay_value_same(result, assay_word("false"));
}

static const char *refuse(const assay_setting *s)
{
    assay_setting content = {.init = s->init, .init_count = s->init_count};
    if (s->parameter.kind != ASSAY_INT || s->parameter.integer < 1)
        return "say how many values it has room for, as in queue(3)";
    if (s->init_count > (uint64_t)s->parameter.integer)
        return "its initial content is longer than it has room for";
    return collection_refuse_setting(&content);
}

static const char *refuse_call(const assay_call *call)
{
    if (call->method != COLLECTION_ADD)
        return NULL;
    if (!outcome_acknowledged(call->result) && !says_full(call->result))
        return "the result of adding is `ok` or `full`, or else `true` or `false`";
    return collection_refuse_value(call->args[0]);
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct sequence *s = sequence_create(ENDS_QUEUE, setting, m);
    s->capacity = (size_t)setting->parameter.integer;
    return s;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct sequence *s = state;
    if (call->method == COLLECTION_ADD && s->size >= s->capacity) {
        *result = says_full(call->result) ? call->result : assay_word("full");
        return ASSAY_SAME;
    }
    assay_effect effect = sequence_step(s, call, choice, result, saved);
    if (call->method == COLLECTION_ADD && (says_full(call->result) || call->result.kind == ASSAY_NONE))
        *result = assay_word("ok");
    return effect;
}

/* A call that found it full or empty, and a peek. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool changes_nothing = call->method == COLLECTION_PEEK ||
                           (call->method == COLLECTION_ADD && says_full(call->result)) ||
                           (call->method == COLLECTION_REMOVE && assay_value_same(call->result, assay_word("empty")));
    return changes_nothing ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_bounded_queue = {
    .version = ASSAY_SPEC_VERSION,
    .name = "bounded-queue",
    .title = "queue(n): a queue with room for n values",
    .extends = "queue",
    .methods = methods,
    SEQUENCE_STATE_HOOKS,
    .refuse = refuse,
    .refuse_call = refuse_call,
    .create = create,
    .step = step,
    .cut = cut,
};

static const struct call_label labels[] = {
    {COLLECTION_ADD, OUTCOME_FULL, ROLE_FULL, VALUE_ARGUMENT},
    {COLLECTION_ADD, OUTCOME_FALSE, ROLE_FULL, VALUE_ARGUMENT},
    LABELS_OF_COLLECTION,
    {0},
};

const struct object_facts facts_bounded_queue = {
    .spec = &spec_bounded_queue,
    .family = FAMILY_BOUNDED,
    .never_blocks = true,
    .labels = labels,
};
