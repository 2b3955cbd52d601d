/* SPDX-License-Identifier: Apache-2.0 */
/* multiset: each value is in a number of times, independently of the others. The store holds the numbers above 0. */
#include "spec/collection.h"
#include "spec/state.h"
#include "spec/store.h"

static const assay_method methods[] = {
    {"add", "add(value)", MULTISET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"insert", "insert(value)", MULTISET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"remove", "remove(value) => true if it was in", MULTISET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rem", "rem(value) => true if it was in", MULTISET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rm", "rm(value) => true if it was in", MULTISET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"delete", "delete(value) => true if it was in", MULTISET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"count", "count(value) => how many times it is in", MULTISET_COUNT, 1, 0, ASSAY_RESULT_REQUIRED},
    {"contains", "contains(value) => true or false", MULTISET_CONTAINS, 1, 0, ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct store *s = state_get(m, sizeof *s);
    store_init_counts(s, setting, key, m, INT64_MAX);
    return s;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    (void)saved;
    assay_value v = call->args[0];
    int64_t n = store_count(state, v);
    switch (call->method) {
    case MULTISET_ADD: store_set_count(state, v, n + 1); return collection_added(call, result);
    case MULTISET_COUNT: *result = assay_int(n); return ASSAY_SAME;
    default: *result = assay_word(n ? "true" : "false"); break;
    }
    if (call->method == MULTISET_CONTAINS || n == 0)
        return ASSAY_SAME;
    store_set_count(state, v, n - 1);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)saved;
    store_add(state, call->args[0], call->method == MULTISET_ADD ? -1 : 1);
}

static const char *refuse_call(const assay_call *call)
{
    return call->method == MULTISET_ADD ? collection_refuse_added(call->result) : NULL;
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool looks = call->method == MULTISET_COUNT || call->method == MULTISET_CONTAINS;
    bool failed = call->method == MULTISET_REMOVE && assay_value_same(call->result, assay_word("false"));
    return looks || failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_multiset = {
    .version = ASSAY_SPEC_VERSION,
    .name = "multiset",
    .title = "a set that counts how often a value is in",
    .methods = methods,
    .refuse = settings_list,
    .refuse_call = refuse_call,
    .create = create,
    STORE_HOOKS,
    .step = step,
    .undo = undo,
    .cut = cut,
    .describe = store_describe,
    .names = ASSAY_NAMES_ARGUMENT,
};
