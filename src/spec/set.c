/* SPDX-License-Identifier: Apache-2.0 */
/* set: each value is in or not, independently of the others. */
#include "spec/roles.h"
#include "spec/settings.h"
#include "spec/store.h"

static const assay_method methods[] = {
    {"add", "add(value) => true if it was not in", SET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"insert", "insert(value) => true if it was not in", SET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"remove", "remove(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rem", "rem(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rm", "rm(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"delete", "delete(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"contains", "contains(value) => true or false", SET_CONTAINS, 1, 0, ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    return store_create_counts(setting, key, m, 1);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    (void)saved;
    assay_value v = call->args[0];
    bool in = store_count(state, v);
    *result = assay_word(in == (call->method != SET_ADD) ? "true" : "false");
    if (call->method == SET_CONTAINS || in == (call->method == SET_ADD))
        return ASSAY_SAME;
    store_set_count(state, v, !in);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)saved;
    store_set_count(state, call->args[0], call->method != SET_ADD);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool failed = assay_value_same(call->result, assay_word("false"));
    return call->method == SET_CONTAINS || failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_set = {
    .version = ASSAY_SPEC_VERSION,
    .name = "set",
    .title = "a set of values",
    .methods = methods,
    .refuse = settings_list,
    .create = create,
    STORE_HOOKS,
    .step = step,
    .undo = undo,
    .cut = cut,
    .describe = store_describe_keys,
    .names = ASSAY_NAMES_ARGUMENT,
};
