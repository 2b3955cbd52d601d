/* SPDX-License-Identifier: Apache-2.0 */
/* counting-semaphore(n): the one of POSIX. Its value starts at n; wait takes 1 if there is any, post adds 1. */
#include "spec/number.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"wait", "wait()", SEMAPHORE_ACQUIRE, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"post", "post()", SEMAPHORE_RELEASE, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"trywait", "trywait() => true or false", SEMAPHORE_TRY, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static const char *refuse(const assay_setting *s)
{
    if (s->parameter.kind != ASSAY_INT || s->parameter.integer < 0)
        return "say what its value is at first, as in counting-semaphore(3)";
    return settings_no_value(s) ? "it takes its initial value as a parameter" : NULL;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *x = state;
    (void)choice;
    switch (call->method) {
    case SEMAPHORE_ACQUIRE: return x->value ? number_set(x, x->value - 1, saved) : ASSAY_BLOCKED;
    case SEMAPHORE_RELEASE: return x->value < INT64_MAX ? number_set(x, x->value + 1, saved) : ASSAY_BLOCKED;
    default: return number_try(x, x->value, x->value - 1, result, saved);
    }
}

const assay_spec spec_counting_semaphore = {
    .version = ASSAY_SPEC_VERSION,
    .name = "counting-semaphore",
    .title = "counting-semaphore(n): that of POSIX, from n on",
    .methods = methods,
    .refuse = refuse,
    .create = number_create,
    .step = step,
    NUMBER_HOOKS,
    .cut = number_cut_failed,
    .describe = number_describe,
};
