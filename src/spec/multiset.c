/* SPDX-License-Identifier: Apache-2.0 */
/* multiset: each value is in a number of times, independently of the others. The store holds the numbers above 0. */
#include "spec/collection.h"
#include "spec/facts.h"
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

/* ---- facts ---- */

static const struct call_label labels[] = {
    {MULTISET_ADD, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {MULTISET_ADD, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {MULTISET_REMOVE, OUTCOME_TRUE, ROLE_REMOVE | ROLE_SEE, VALUE_ARGUMENT},
    {MULTISET_REMOVE, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {MULTISET_REMOVE, OUTCOME_RETURNED, ROLE_REMOVE, VALUE_ARGUMENT},
    {MULTISET_REMOVE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_ARGUMENT},
    {MULTISET_COUNT, OUTCOME_ZERO, ROLE_MISS, VALUE_ARGUMENT},
    {MULTISET_COUNT, OUTCOME_RETURNED, ROLE_SEE, VALUE_ARGUMENT},
    {MULTISET_CONTAINS, OUTCOME_TRUE, ROLE_SEE, VALUE_ARGUMENT},
    {MULTISET_CONTAINS, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {0},
};

static struct amount amount(const assay_setting *s, assay_value key, uint32_t which)
{
    (void)which;
    return (struct amount){settings_count(s, key), 0, AMOUNT_NO_TOP};
}

/* A result that no state gives tells nothing: the searches refuse it. */
static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    bool removes = call->method == MULTISET_REMOVE;
    if (call->method == MULTISET_ADD)
        return amount_changes(1);
    if (removes && call->result.kind == ASSAY_NONE)
        return (struct amount_use){.least = -1};
    if (call->method == MULTISET_COUNT)
        return call->result.kind == ASSAY_INT ? amount_told(call->result.integer, call->result.integer)
                                              : amount_changes(0);
    if (assay_value_same(call->result, assay_word("false")))
        return amount_told(0, 0);
    if (!assay_value_same(call->result, assay_word("true")))
        return amount_changes(0);
    return removes ? amount_changes(-1) : amount_told(1, AMOUNT_NO_TOP);
}

const struct object_facts facts_multiset = {
    .spec = &spec_multiset,
    .family = FAMILY_MEMBERS,
    .never_blocks = true,
    .blank = true,
    .labels = labels,
    .by_key = true,
    .counts = COUNTS_COPIES,
    .amount = amount,
    .use = use,
};
