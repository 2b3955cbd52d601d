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

static int64_t count(const struct store *s, assay_value v)
{
    return store_get(s, v).integer; /* 0 where there is none */
}

static void set_count(struct store *s, assay_value v, int64_t n)
{
    store_set(s, v, n ? assay_int(n) : (assay_value){0});
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct store *s = state_get(m, sizeof *s);
    store_init(s, m);
    for (size_t i = 0; i < setting->init_count; i++) {
        assay_value v = setting->init[i].value;
        if (key.kind == ASSAY_NONE || assay_value_same(key, v))
            set_count(s, v, count(s, v) + 1);
    }
    return s;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    (void)saved;
    assay_value v = call->args[0];
    int64_t n = count(state, v);
    switch (call->method) {
    case MULTISET_ADD: set_count(state, v, n + 1); return collection_added(call, result);
    case MULTISET_COUNT: *result = assay_int(n); return ASSAY_SAME;
    default: *result = assay_word(n ? "true" : "false"); break;
    }
    if (call->method == MULTISET_CONTAINS || n == 0)
        return ASSAY_SAME;
    set_count(state, v, n - 1);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)saved;
    assay_value v = call->args[0];
    set_count(state, v, count(state, v) + (call->method == MULTISET_ADD ? -1 : 1));
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

static size_t describe(const void *state, char *out, size_t size)
{
    return store_describe(state, out, size);
}

const assay_spec spec_multiset = {
    .version = ASSAY_SPEC_VERSION,
    .name = "multiset",
    .title = "a set that counts how often a value is in",
    .methods = methods,
    .refuse = settings_list,
    .refuse_call = refuse_call,
    .create = create,
    .copy = store_copy,
    .destroy = store_destroy,
    .step = step,
    .undo = undo,
    .digest = store_digest,
    .equal = store_same,
    .cut = cut,
    .describe = describe,
    .names = ASSAY_NAMES_ARGUMENT,
};
