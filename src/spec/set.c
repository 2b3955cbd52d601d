/* SPDX-License-Identifier: Apache-2.0 */
/* set: each value is in or not, independently of the others; elements() returns all of them.
 *
 * A recorded list of elements is compared as a set: its order says nothing. A list with an element twice equals no set,
 * so no state explains it. */
#include "spec/facts.h"
#include "spec/roles.h"
#include "spec/settings.h"
#include "spec/state.h"
#include "spec/store.h"

static const assay_method methods[] = {
    {"add", "add(value) => true if it was not in", SET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"insert", "insert(value) => true if it was not in", SET_ADD, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"remove", "remove(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rem", "rem(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rm", "rm(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"delete", "delete(value) => true if it was in", SET_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"contains", "contains(value) => true or false", SET_CONTAINS, 1, 0, ASSAY_RESULT_REQUIRED},
    {"elements", "elements() => [value value ...], in any order", SET_ELEMENTS, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"read", "read() => [value value ...], in any order", SET_ELEMENTS, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

struct set {
    struct store values;
    assay_value *listed; /* the last result that was not the recorded one; has room for so many: */
    uint32_t room;
};

static const char *refuse_call(const assay_call *call)
{
    bool lists = call->result.kind == ASSAY_LIST, answered = call->result.kind != ASSAY_NONE;
    if (call->method == SET_ELEMENTS)
        return answered && !lists ? "the elements of a set are a list" : NULL;
    return lists ? "the result is true or false" : NULL;
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct set *x = state_get(m, sizeof *x);
    store_init_counts(&x->values, setting, key, m, 1);
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct set *from = state;
    struct set *x = state_get(m, sizeof *x);
    store_init_copy(&x->values, &from->values, m);
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    struct set *x = state;
    store_free(&x->values);
    state_free(m, x->listed);
    state_free(m, x);
}

/* A search tries an observer in many states. To sort all elements in each of them would take longer than the search. So
 * an answer that contradicts the recorded one is given only if it is short: it serves reports, and nothing else. */
static assay_value elements(struct set *x, assay_value recorded)
{
    enum { SHORT = 16 };
    uint32_t n = x->values.size;
    if (store_has_exactly(&x->values, recorded))
        return recorded;
    if (recorded.kind != ASSAY_NONE && n > SHORT)
        return (assay_value){0};
    if (x->room <= n) {
        x->room = 2 * n + 1;
        x->listed = state_resize(x->values.memory, x->listed, x->room * sizeof *x->listed);
    }
    store_list_keys(&x->values, x->listed);
    return assay_list(x->listed, n);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct set *x = state;
    (void)choice;
    (void)saved;
    if (call->method == SET_ELEMENTS) {
        *result = elements(x, call->result);
        return ASSAY_SAME;
    }
    assay_value v = call->args[0];
    bool in = store_count(&x->values, v);
    *result = assay_word(in == (call->method != SET_ADD) ? "true" : "false");
    if (call->method == SET_CONTAINS || in == (call->method == SET_ADD))
        return ASSAY_SAME;
    store_set_count(&x->values, v, !in);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)saved;
    store_set_count(&((struct set *)state)->values, call->args[0], call->method != SET_ADD);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool looks = call->method == SET_CONTAINS || call->method == SET_ELEMENTS;
    bool failed = assay_value_same(call->result, assay_word("false"));
    return looks || failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

static void join(void *state, assay_value key, const void *part)
{
    store_set_count(&((struct set *)state)->values, key, store_count(&((const struct set *)part)->values, key));
}

const assay_spec spec_set = {
    .version = ASSAY_SPEC_VERSION,
    .name = "set",
    .title = "a set of values",
    .methods = methods,
    .refuse = settings_list,
    .refuse_call = refuse_call,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = store_same,
    .cut = cut,
    .describe = store_describe_keys,
    .join = join,
    .content = store_content,
    .names = ASSAY_NAMES_ARGUMENT, /* monitors are given no lists, so they do not meet elements() */
};

/* ---- facts ---- */

/* An add that returned true has missed the value, too, and a remove that returned true has found it. */
const struct call_label labels_of_set[] = {
    {SET_ADD, OUTCOME_TRUE, ROLE_ADD | ROLE_MISS, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_FALSE, ROLE_SEE, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_NONE, ROLE_ADD, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_TRUE, ROLE_REMOVE | ROLE_SEE, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_NONE, ROLE_REMOVE, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_ARGUMENT},
    {SET_CONTAINS, OUTCOME_TRUE, ROLE_SEE, VALUE_ARGUMENT},
    {SET_CONTAINS, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {0},
};

static struct cell_access cell(const assay_call *call)
{
    struct cell_access c = {0};
    bool yes = assay_value_same(call->result, assay_word("true")), adds = call->method == SET_ADD;
    if (adds || call->method == SET_REMOVE)
        c.sets = assay_word(adds ? "true" : "false");
    if (yes || assay_value_same(call->result, assay_word("false")))
        c.sees = assay_word(yes == adds ? "false" : "true");
    return c;
}

static assay_value cell_initial(const assay_setting *s, assay_value key)
{
    return assay_word(settings_count(s, key) ? "true" : "false");
}

const struct object_facts facts_set = {
    .spec = &spec_set,
    .family = FAMILY_MEMBERS,
    .never_blocks = true,
    .blank = true,
    .any = ANY_MEMBER,
    .labels = labels_of_set,
    .by_key = true,
    .cell = cell,
    .cell_initial = cell_initial,
};
