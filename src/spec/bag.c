/* SPDX-License-Identifier: Apache-2.0 */
/* bag: a queue without an order, as Jepsen's total-queue has it. A removal takes any value that is in.
 *
 * The store holds how often each value is in. A removal whose result is known takes that value; one that is pending has
 * an outcome for each value, in the order of printing. So the number of an outcome means another value when some values
 * are gone, and there are no cuts. */
#include "spec/collection.h"
#include "spec/state.h"
#include "spec/store.h"

static const assay_method methods[] = {
    {"put", "put(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"enq", "enq(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"enqueue", "enqueue(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"offer", "offer(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"add", "add(value)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"take", "take() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"deq", "deq() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"dequeue", "dequeue() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"poll", "poll() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"remove", "remove() => value or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct store *s = state_get(m, sizeof *s);
    store_init_counts(s, setting, key, m, INT64_MAX);
    return s;
}

/* The value of that place, in the order of printing. */
static assay_value value_at(const struct store *s, unsigned place)
{
    assay_value *all = state_get(s->memory, s->size * sizeof *all);
    store_list_keys(s, all);
    assay_value v = all[place];
    state_free(s->memory, all);
    return v;
}

static assay_effect take(struct store *s, assay_value v, assay_value *result, assay_saved *saved)
{
    store_add(s, v, -1);
    *result = saved->value = v;
    return ASSAY_CHANGED;
}

/* A result that is recorded, and that no removal can have here, is answered by another one, without an effect. */
static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct store *s = state;
    if (call->method == COLLECTION_ADD) {
        store_add(s, call->args[0], 1);
        return collection_added(call, result);
    }
    if (!s->size)
        return collection_empty(result);
    if (call->result.kind == ASSAY_NONE)
        return take(s, value_at(s, choice), result, saved);
    if (store_count(s, call->result))
        return take(s, call->result, result, saved);
    *result = value_at(s, 0);
    return ASSAY_SAME;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    if (call->method == COLLECTION_ADD)
        store_add(state, call->args[0], -1);
    else
        store_add(state, saved->value, 1);
}

static unsigned choices(const void *state, const assay_call *call)
{
    const struct store *s = state;
    bool any = call->method == COLLECTION_REMOVE && call->result.kind == ASSAY_NONE;
    return any && s->size ? s->size : 1;
}

const assay_spec spec_bag = {
    .version = ASSAY_SPEC_VERSION,
    .name = "bag",
    .title = "a queue without an order: a removal takes any value",
    .extends = "queue",
    .methods = methods,
    .refuse = collection_refuse_setting,
    .refuse_call = collection_refuse_call,
    .create = create,
    STORE_HOOKS,
    .step = step,
    .undo = undo,
    .choices = choices,
    .describe = store_describe,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};
