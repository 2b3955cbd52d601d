/* SPDX-License-Identifier: Apache-2.0 */
/* map: values under keys (Example 1 of Emmi and Enea, CAV 2018).
 *
 * Beside the pairs the state counts the keys of each value, so that contains(value) need not visit all of them. The
 * count follows from the pairs, so the digest leaves it out. */
#include "spec/facts.h"
#include "spec/roles.h"
#include "spec/settings.h"
#include "spec/state.h"
#include "spec/store.h"

#define OLD " => what was there, or null"
#define BOOL " => true or false"

static const assay_method methods[] = {
    {"put", "put(key, value)" OLD, MAP_PUT, 2, 0, ASSAY_RESULT_OPTIONAL},
    {"get", "get(key) => value or null", MAP_GET, 1, 0, ASSAY_RESULT_REQUIRED},
    {"remove", "remove(key)" OLD, MAP_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rem", "rem(key)" OLD, MAP_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"rm", "rm(key)" OLD, MAP_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"delete", "delete(key)" OLD, MAP_REMOVE, 1, 0, ASSAY_RESULT_OPTIONAL},
    {"contains-key", "contains-key(key)" BOOL, MAP_CONTAINS_KEY, 1, 0, ASSAY_RESULT_REQUIRED},
    {"containsKey", "containsKey(key)" BOOL, MAP_CONTAINS_KEY, 1, 0, ASSAY_RESULT_REQUIRED},
    {"contains", "contains(value)" BOOL, MAP_CONTAINS_VALUE, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"contains-value", "contains-value(value)" BOOL, MAP_CONTAINS_VALUE, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"containsValue", "containsValue(value)" BOOL, MAP_CONTAINS_VALUE, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"size", "size() => how many keys it has", MAP_SIZE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

struct map {
    struct store pairs;
    struct store holders; /* of each value: how many keys hold it, if any does */
};

static void set(struct map *x, assay_value key, assay_value v) /* ASSAY_NONE: removes it */
{
    assay_value old = store_set(&x->pairs, key, v);
    if (old.kind != ASSAY_NONE)
        store_add(&x->holders, old, -1);
    if (v.kind != ASSAY_NONE)
        store_add(&x->holders, v, 1);
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct map *x = state_get(m, sizeof *x);
    store_init(&x->pairs, m);
    store_init(&x->holders, m);
    for (size_t i = 0; i < setting->init_count; i++)
        if (key.kind == ASSAY_NONE || assay_value_same(key, setting->init[i].key))
            set(x, setting->init[i].key, setting->init[i].value);
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct map *from = state;
    struct map *x = state_get(m, sizeof *x);
    store_init_copy(&x->pairs, &from->pairs, m);
    store_init_copy(&x->holders, &from->holders, m);
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    struct map *x = state;
    store_free(&x->pairs);
    store_free(&x->holders);
    state_free(m, x);
}

/* A value, or null where there is none. Some logs spell null `nil`; then so does the answer. */
static assay_value value_or_null(assay_value v, const assay_call *call)
{
    assay_value null = assay_word("null"), nil = assay_word("nil");
    if (v.kind == ASSAY_NONE)
        v = null;
    bool is_null = assay_value_same(v, null) || assay_value_same(v, nil);
    if (is_null && (assay_value_same(call->result, null) || assay_value_same(call->result, nil)))
        return call->result;
    return v;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct map *x = state;
    (void)choice;
    if (call->method == MAP_SIZE) {
        *result = assay_int(x->pairs.size);
        return ASSAY_SAME;
    }
    if (call->method == MAP_CONTAINS_VALUE) {
        *result = assay_word(store_count(&x->holders, call->args[0]) ? "true" : "false");
        return ASSAY_SAME;
    }
    assay_value old = store_get(&x->pairs, call->args[0]);
    if (call->method == MAP_CONTAINS_KEY) {
        *result = assay_word(old.kind != ASSAY_NONE ? "true" : "false");
        return ASSAY_SAME;
    }
    *result = value_or_null(old, call);
    assay_value next = call->method == MAP_PUT ? call->args[1] : (assay_value){0};
    if (call->method == MAP_GET || assay_value_same(old, next))
        return ASSAY_SAME;
    saved->value = old;
    set(x, call->args[0], next);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    set(state, call->args[0], saved->value);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    return call->method == MAP_PUT || call->method == MAP_REMOVE ? ASSAY_CUT_NEVER : ASSAY_CUT_ALONE;
}

static void join(void *state, assay_value key, const void *part)
{
    set(state, key, store_get(&((const struct map *)part)->pairs, key));
}

const assay_spec spec_map = {
    .version = ASSAY_SPEC_VERSION,
    .name = "map",
    .title = "values under keys",
    .methods = methods,
    .refuse = settings_keyed,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = store_same,
    .cut = cut,
    .describe = store_describe,
    .join = join,
    .content = store_content,
};

/* ---- facts ---- */

static const struct call_label labels[] = {
    {MAP_PUT, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {MAP_PUT, OUTCOME_NULL, ROLE_ADD | ROLE_MISS, VALUE_ARGUMENT},
    {MAP_PUT, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {MAP_REMOVE, OUTCOME_NULL, ROLE_MISS, VALUE_ARGUMENT},
    {MAP_REMOVE, OUTCOME_NONE, ROLE_REMOVE, VALUE_ARGUMENT},
    {MAP_REMOVE, OUTCOME_RETURNED, ROLE_REMOVE | ROLE_SEE, VALUE_ARGUMENT},
    {MAP_REMOVE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_ARGUMENT},
    {MAP_GET, OUTCOME_NULL, ROLE_MISS, VALUE_ARGUMENT},
    {MAP_GET, OUTCOME_RETURNED, ROLE_SEE, VALUE_ARGUMENT},
    {MAP_CONTAINS_KEY, OUTCOME_TRUE, ROLE_SEE, VALUE_ARGUMENT},
    {MAP_CONTAINS_KEY, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {0},
};

/* Some logs spell null `nil`. */
static assay_value spelled(assay_value v)
{
    return assay_value_same(v, assay_word("nil")) ? assay_word("null") : v;
}

static struct cell_access cell(const assay_call *call)
{
    struct cell_access c = {0};
    bool yes = assay_value_same(call->result, assay_word("true")),
         no = assay_value_same(call->result, assay_word("false"));
    switch (call->method) {
    case MAP_PUT:
        c.sets = spelled(call->args[1]);
        c.sees = spelled(call->result);
        break;
    case MAP_REMOVE:
        c.sets = assay_word("null");
        c.sees = spelled(call->result);
        break;
    case MAP_GET: c.sees = spelled(call->result); break;
    case MAP_CONTAINS_KEY:
        c.sees = no ? assay_word("null") : c.sees;
        c.refuses = yes ? assay_word("null") : c.refuses;
        break;
    default: break;
    }
    return c;
}

static assay_value cell_initial(const assay_setting *s, assay_value key)
{
    assay_value v = assay_word("null");
    for (size_t i = 0; i < s->init_count; i++)
        if (assay_value_same(s->init[i].key, key))
            v = spelled(s->init[i].value);
    return v;
}

/* How many keys have the value that is asked for, or any. */
static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    bool sized = call->method == MAP_SIZE && call->result.kind == ASSAY_INT, asks = call->method == MAP_CONTAINS_VALUE;
    if (sized)
        return amount_told(call->result.integer, call->result.integer);
    if (asks && assay_value_same(call->result, assay_word("true")))
        return amount_told(1, AMOUNT_NO_TOP);
    return asks && assay_value_same(call->result, assay_word("false")) ? amount_told(0, 0) : amount_changes(0);
}

const struct object_facts facts_map = {
    .spec = &spec_map,
    .family = FAMILY_MAP,
    .never_blocks = true,
    .blank = true,
    .any = ANY_CELL_OR_NONE,
    .labels = labels,
    .by_key = true,
    .cell = cell,
    .cell_initial = cell_initial,
    .counts = COUNTS_KEYS,
    .use = use,
};
