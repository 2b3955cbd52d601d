/* SPDX-License-Identifier: Apache-2.0 */
/* memory: variables that are read and written, each on its own. */
#include "spec/cell.h"
#include "spec/settings.h"
#include "spec/spec.h"
#include "spec/state.h"
#include "spec/variables.h"

static const assay_method methods[] = {
    {"read", "read(variable) => value", MEMORY_READ, 1, 0, ASSAY_RESULT_REQUIRED},
    {"write", "write(variable, value)", MEMORY_WRITE, 2, 0, ASSAY_RESULT_NONE},
    {"rmw", "rmw(variable, value read, value written)", MEMORY_RMW, 3, 0, ASSAY_RESULT_NONE},
    {"fence", "fence()", MEMORY_FENCE, 0, ASSAY_NO_EFFECT, ASSAY_RESULT_NONE},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct variables *x = state_get(m, sizeof *x);
    variables_init(x, setting, key, m);
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    struct variables *x = state_get(m, sizeof *x);
    variables_init_copy(x, state, m);
    return x;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct variables *x = state;
    (void)choice;
    if (call->method == MEMORY_FENCE)
        return ASSAY_SAME;
    assay_value now = variables_get(x, call->args[0]);
    if (call->method == MEMORY_READ) {
        *result = now;
        return ASSAY_SAME;
    }
    if (call->method == MEMORY_RMW && !assay_value_same(now, call->args[1]))
        return ASSAY_BLOCKED;
    assay_value next = call->args[call->method == MEMORY_RMW ? 2 : 1];
    if (assay_value_same(now, next))
        return ASSAY_SAME;
    saved->value = now;
    variables_set(x, call->args[0], next);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    variables_set(state, call->args[0], saved->value);
}

/* A value's writes go with its reads. An rmw needs the value that it reads, so that one has to stay. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    switch (call->method) {
    case MEMORY_READ: *value = call->result; return ASSAY_CUT_ALONE;
    case MEMORY_WRITE: *value = call->args[1]; return ASSAY_CUT_WITH_VALUE;
    case MEMORY_RMW: *value = call->args[1]; return ASSAY_CUT_NEVER;
    case MEMORY_FENCE: return ASSAY_CUT_ALONE;
    default: return ASSAY_CUT_NEVER;
    }
}

static void join(void *state, assay_value key, const void *part)
{
    variables_set(state, key, variables_get(part, key));
}

const assay_spec spec_memory = {
    .version = ASSAY_SPEC_VERSION,
    .name = "memory",
    .title = "read/write variables",
    .methods = methods,
    .refuse = settings_keyed_or_all,
    .create = create,
    .copy = copy,
    .destroy = store_destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = store_same,
    .cut = cut,
    .describe = variables_describe,
    .join = join,
    .content = variables_content,
};

const struct object_facts facts_memory = {
    .spec = &spec_memory,
    CELL_FACTS,
    .by_key = true,
};
