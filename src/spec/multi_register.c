/* SPDX-License-Identifier: Apache-2.0 */
/* multi-register: registers and lists that are read, written and appended to by transactions, each of which takes
 * effect at once.
 *
 * A call is txn(r x 1, w y 2, append z 3, r z [3]), its arguments a flat list of triples: r, w or append, a variable,
 * a value. They are taken in order, so a transaction sees its own writes. A read of `?` is one whose value is not
 * known. A transaction with the result `abort` has no effect, and its reads do not count. Under a weak model only the
 * writes and appends of a transaction that another one sees take effect; its reads need not be reproduced there.
 *
 * Overwritten values lie on a trail; undoing takes back the trail to its earlier length. A list that a state made is an
 * array of its own, while it is in the store or on the trail. */
#include "base/vec.h"
#include "spec/facts.h"
#include "spec/outcome.h"
#include "spec/settings.h"
#include "spec/state.h"
#include "spec/variables.h"

#include <stdlib.h>
#include <string.h>

enum { TXN };

static const assay_method methods[] = {
    {"txn", "txn(r variable value, w variable value, append variable value, ...)", TXN, ASSAY_ANY_ARITY, ASSAY_NO_KEY,
     ASSAY_RESULT_OPTIONAL},
    {0},
};

struct overwritten {
    assay_value variable, value;
};

struct registers {
    struct variables variables;
    VEC(struct overwritten) trail;
};

static bool is(assay_value v, const char *word)
{
    return assay_value_same(v, assay_word(word));
}

/* `?` is no value in a file, and the word in a program. */
static bool unknown(assay_value v)
{
    return v.kind == ASSAY_NONE || is(v, "?");
}

static bool changes(assay_value how)
{
    return is(how, "w") || is(how, "append");
}

static const char *refuse_call(const assay_call *call)
{
    bool fine = call->arg_count % 3 == 0;
    for (unsigned i = 0; fine && i < call->arg_count; i += 3)
        fine = is(call->args[i], "r") || (changes(call->args[i]) && !unknown(call->args[i + 2]));
    if (!fine)
        return "a transaction is a row of reads, writes and appends, as in `r x 1, w y 2, append z 3`";
    if (outcome_acknowledged(call->result) || is(call->result, "abort"))
        return NULL;
    return "what a transaction read is written in it; its result is absent, `ok`, `true` or `abort`";
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct registers *x = state_get(m, sizeof *x);
    variables_init(&x->variables, setting, key, m);
    return x;
}

/* ---- lists ---- */

static bool is_own_list(assay_value v)
{
    return v.kind == ASSAY_LIST && !v.integer;
}

static void free_list(struct registers *x, assay_value v)
{
    if (is_own_list(v))
        state_free(x->variables.store.memory, (void *)(uintptr_t)v.text);
}

/* A list of its own with the elements of `list`, and one more behind them. */
static assay_value longer(struct registers *x, assay_value list, assay_value element)
{
    size_t n = list.kind == ASSAY_LIST ? list.length : 0;
    assay_value *elements = state_get(x->variables.store.memory, (n + 1) * sizeof *elements);
    elements[n] = element;
    for (assay_value rest = list; n; rest = assay_list_before(rest))
        elements[--n] = assay_list_last(rest);
    return assay_list(elements, list.kind == ASSAY_LIST ? list.length + 1 : 1);
}

/* A list that was never appended to has the common initial value of all variables. */
static bool reads(const struct registers *x, assay_value variable, assay_value value)
{
    assay_value now = variables_get(&x->variables, variable);
    bool untouched = value.kind == ASSAY_LIST && now.kind != ASSAY_LIST;
    return untouched ? !value.length && assay_value_same(now, x->variables.initial) : assay_value_same(now, value);
}

/* ---- states ---- */

static void *copy(const void *state, assay_memory *m)
{
    const struct registers *from = state;
    struct registers *x = state_get(m, sizeof *x);
    variables_init_copy(&x->variables, &from->variables, m);
    for (uint32_t i = 0; i <= x->variables.store.mask; i++) {
        assay_value list = store_slot(&x->variables.store, i)->value;
        if (is_own_list(list))
            persistent_own(&x->variables.store.slots, struct store_pair, i)->value = longer(x, assay_list_before(list),
                                                                                            assay_list_last(list));
    }
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    struct registers *x = state;
    for (uint32_t i = 0; i <= x->variables.store.mask; i++)
        free_list(x, store_slot(&x->variables.store, i)->value);
    for (uint32_t i = 0; i < x->trail.n; i++)
        free_list(x, x->trail.at[i].value);
    store_free(&x->variables.store);
    vec_free(state_mem(m), &x->trail);
    state_free(m, x);
}

static void overwrite(struct registers *x, assay_value variable, assay_value value)
{
    struct overwritten o = {variable, variables_get(&x->variables, variable)};
    vec_push(state_mem(x->variables.store.memory), &x->trail, o);
    variables_set(&x->variables, variable, value);
}

static void take_back(struct registers *x, size_t trail_n)
{
    while (x->trail.n > trail_n) {
        struct overwritten o = vec_pop(&x->trail);
        assay_value now = variables_get(&x->variables, o.variable);
        variables_set(&x->variables, o.variable, o.value);
        free_list(x, now);
    }
}

/* Are all reads of the transaction right, if they are compared? Its writes are done up to the first that is not. */
static bool run(struct registers *x, const assay_call *call, bool compare)
{
    for (unsigned i = 0; i < call->arg_count; i += 3) {
        assay_value how = call->args[i], variable = call->args[i + 1], value = call->args[i + 2];
        if (is(how, "append"))
            overwrite(x, variable, longer(x, variables_get(&x->variables, variable), value));
        else if (compare && is(how, "r") && !unknown(value) && !reads(x, variable, value))
            return false;
        else if (is(how, "w") && !assay_value_same(variables_get(&x->variables, variable), value))
            overwrite(x, variable, value);
    }
    return true;
}

static int by_variable(const void *left, const void *right)
{
    const struct overwritten *const *a = left, *const *b = right;
    int order = printed_order((*a)->variable, (*b)->variable);
    return order ? order : (*a > *b) - (*a < *b);
}

/* Does a variable differ from its value when the trail had that length? This value is its first entry on the trail
 * since then. Equal contents have equal digests, so different digests decide at once. */
static bool differs(const struct registers *x, size_t trail_n, struct digest digest)
{
    size_t n = x->trail.n - trail_n;
    if (n < 2 || memcmp(&digest, &x->variables.store.digest, sizeof digest) != 0)
        return n;
    assay_memory *m = x->variables.store.memory;
    const struct overwritten **by = state_get(m, n * sizeof *by);
    for (size_t i = 0; i < n; i++)
        by[i] = &x->trail.at[trail_n + i];
    qsort(by, n, sizeof *by, by_variable);
    bool differs = false;
    for (size_t i = 0; i < n && !differs; i++)
        if (i == 0 || !assay_value_same(by[i]->variable, by[i - 1]->variable))
            differs = !assay_value_same(by[i]->value, variables_get(&x->variables, by[i]->variable));
    state_free(m, by);
    return differs;
}

static assay_effect take(struct registers *x, const assay_call *call, bool compare, assay_saved *saved)
{
    size_t before = x->trail.n;
    if (is(call->result, "abort"))
        return ASSAY_SAME;
    struct digest digest = x->variables.store.digest;
    bool fits = run(x, call, compare);
    bool changed = differs(x, before, digest);
    if (!fits || !changed)
        take_back(x, before);
    if (!fits)
        return ASSAY_BLOCKED;
    saved->number = (int64_t)before;
    return changed ? ASSAY_CHANGED : ASSAY_SAME;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    (void)choice;
    *result = call->result; /* it says no more than how the transaction ended */
    return take(state, call, true, saved);
}

/* The values that its reads returned are results, though they stand among the arguments. */
static assay_effect invoke(void *state, const assay_call *call, assay_saved *saved)
{
    return take(state, call, false, saved);
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    take_back(state, (size_t)saved->number);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    for (unsigned i = 0; i < call->arg_count && !is(call->result, "abort"); i += 3)
        if (changes(call->args[i]))
            return ASSAY_CUT_NEVER;
    return ASSAY_CUT_ALONE;
}

const assay_spec spec_multi_register = {
    .version = ASSAY_SPEC_VERSION,
    .name = "multi-register",
    .title = "transactions that take effect at once",
    .methods = methods,
    .refuse = settings_keyed_or_all,
    .refuse_call = refuse_call,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = store_same,
    .cut = cut,
    .describe = variables_describe,
    .invoke = invoke,
};

const struct object_facts facts_multi_register = {
    .spec = &spec_multi_register,
};
