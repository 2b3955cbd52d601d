/* SPDX-License-Identifier: Apache-2.0 */
/* lock: held by one thread at a time; any thread may release it, as long as it is held. */
#include "spec/number.h"
#include "spec/roles.h"

static const assay_method methods[] = {
    {"lock", "lock()", LOCK_LOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"acquire", "acquire()", LOCK_LOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"unlock", "unlock()", LOCK_UNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"release", "release()", LOCK_UNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"trylock", "trylock() => true or false", LOCK_TRY, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"tryacquire", "tryacquire() => true or false", LOCK_TRY, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *x = state;
    (void)choice;
    bool held = x->value;
    switch (call->method) {
    case LOCK_LOCK: return held ? ASSAY_BLOCKED : number_set(x, 1, saved);
    case LOCK_UNLOCK: return held ? number_set(x, 0, saved) : ASSAY_BLOCKED;
    default: return number_try(x, !held, 1, result, saved);
    }
}

static size_t describe(const void *state, char *out, size_t size)
{
    return (size_t)snprintf(out, size, "%s", ((const struct number *)state)->value ? "held" : "free");
}

static bool renews(unsigned method)
{
    return method == LOCK_UNLOCK;
}

const assay_spec spec_lock = {
    .version = ASSAY_SPEC_VERSION,
    .name = "lock",
    .title = "held by one at a time",
    .methods = methods,
    .create = number_create,
    .step = step,
    NUMBER_HOOKS,
    .cut = number_cut_failed,
    .describe = describe,
    .renews = renews,
};
