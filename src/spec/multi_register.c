/* SPDX-License-Identifier: Apache-2.0 */
/* multi-register: variables that are read and written by transactions, each of which takes effect at once.
 *
 * A call is txn(r x 1, w y 2, ...), its arguments a flat list of triples: r or w, a variable, a value. They are taken
 * in order, so a transaction sees its own writes. A read of `?` is one whose value is not known.
 *
 * Overwritten values lie on a trail; undoing takes back the trail to its earlier length. */
#include "base/vec.h"
#include "spec/outcome.h"
#include "spec/settings.h"
#include "spec/state.h"
#include "spec/variables.h"

#include <stdlib.h>
#include <string.h>

enum { TXN };

static const assay_method methods[] = {
    {"txn", "txn(r variable value, w variable value, ...)", TXN, ASSAY_ANY_ARITY, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
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

static const char *refuse_call(const assay_call *call)
{
    bool fine = call->arg_count % 3 == 0;
    for (unsigned i = 0; fine && i < call->arg_count; i += 3)
        fine = is(call->args[i], "r") || (is(call->args[i], "w") && !unknown(call->args[i + 2]));
    if (!fine)
        return "a transaction is a list of reads and writes, each of a variable and a value";
    if (outcome_acknowledged(call->result))
        return NULL;
    return "what a transaction read stands in it; its result is absent, `ok` or `true`; leave out one that failed";
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct registers *x = state_get(m, sizeof *x);
    variables_init(&x->variables, setting, key, m);
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct registers *from = state;
    struct registers *x = state_get(m, sizeof *x);
    variables_init_copy(&x->variables, &from->variables, m);
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    struct registers *x = state;
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
        variables_set(&x->variables, o.variable, o.value);
    }
}

/* Are all reads of the transaction right? Its writes are done up to the first that is not. */
static bool run(struct registers *x, const assay_call *call)
{
    for (unsigned i = 0; i < call->arg_count; i += 3) {
        assay_value variable = call->args[i + 1], value = call->args[i + 2];
        bool same = assay_value_same(variables_get(&x->variables, variable), value);
        if (is(call->args[i], "w")) {
            if (!same)
                overwrite(x, variable, value);
        } else if (!same && !unknown(value))
            return false;
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

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct registers *x = state;
    (void)choice;
    size_t before = x->trail.n;
    struct digest digest = x->variables.store.digest;
    bool fits = run(x, call);
    bool changed = differs(x, before, digest);
    if (!fits || !changed)
        take_back(x, before);
    if (!fits)
        return ASSAY_BLOCKED;
    *result = call->result; /* it says nothing beyond that the transaction took effect */
    saved->number = (int64_t)before;
    return changed ? ASSAY_CHANGED : ASSAY_SAME;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    take_back(state, (size_t)saved->number);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    for (unsigned i = 0; i < call->arg_count; i += 3)
        if (is(call->args[i], "w"))
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
};
