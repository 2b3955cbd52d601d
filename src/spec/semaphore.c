/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore(n): held by at most n at a time. A release needs a holder: with tags (holders.h), one with the tag that it
 * returns. */
#include "spec/holders.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"acquire", "acquire() or acquire(tag)", SEMAPHORE_ACQUIRE, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"release", "release(), or release() => tag", SEMAPHORE_RELEASE, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"tryacquire", "tryacquire() or tryacquire(tag) => true or false", SEMAPHORE_TRY, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {0},
};

static const char *refuse(const assay_setting *s)
{
    if (s->parameter.kind != ASSAY_INT || s->parameter.integer < 1)
        return "say how many may hold it, as in semaphore(3)";
    return settings_no_value(s);
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return holders_new(setting->parameter.integer, setting, m);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    switch (call->method) {
    case SEMAPHORE_ACQUIRE: return holders_take(state, call, saved);
    case SEMAPHORE_RELEASE: return holders_release(state, call, choice, result, saved);
    default: return holders_try(state, call, result, saved);
    }
}

/* A try that failed. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool failed = call->method == SEMAPHORE_TRY && assay_value_same(call->result, assay_word("false"));
    return failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_semaphore = {
    .version = ASSAY_SPEC_VERSION,
    .name = "semaphore",
    .title = "semaphore(n): held by at most n at a time",
    .methods = methods,
    .refuse = refuse,
    .create = create,
    .step = step,
    HOLDERS_HOOKS,
    .cut = cut,
    .describe = holders_describe,
};

const struct object_facts facts_semaphore = {
    .spec = &spec_semaphore,
    .blank = true,
    .any = ANY_LEVEL,
    .labels = labels_of_lock,
    .counts = COUNTS_HOLDERS,
    .amount = holders_amount,
    .use = holders_use,
};
