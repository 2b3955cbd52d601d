/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore(n): held by at most n at a time; the state is by how many. A release needs a holder. */
#include "spec/number.h"
#include "spec/roles.h"

static const assay_method methods[] = {
    {"acquire", "acquire()", SEMAPHORE_ACQUIRE, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"release", "release()", SEMAPHORE_RELEASE, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"tryacquire", "tryacquire() => true or false", SEMAPHORE_TRY, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static const char *refuse(const assay_setting *s)
{
    if (s->parameter.kind != ASSAY_INT || s->parameter.integer < 1)
        return "say how many may hold it, as in semaphore(3)";
    return s->init_count ? "it takes no initial value" : NULL;
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return number_new(0, setting->parameter.integer, m);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *held = state;
    (void)choice;
    bool room = held->value < held->limit;
    switch (call->method) {
    case SEMAPHORE_ACQUIRE: return room ? number_set(held, held->value + 1, saved) : ASSAY_BLOCKED;
    case SEMAPHORE_RELEASE: return held->value ? number_set(held, held->value - 1, saved) : ASSAY_BLOCKED;
    default: return number_try(held, room, held->value + 1, result, saved);
    }
}

const assay_spec spec_semaphore = {
    .version = ASSAY_SPEC_VERSION,
    .name = "semaphore",
    .title = "semaphore(n): held by at most n at a time",
    .methods = methods,
    .refuse = refuse,
    .create = create,
    .step = step,
    NUMBER_HOOKS,
    .cut = number_cut_failed,
    .describe = number_describe,
};
