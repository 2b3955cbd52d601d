/* SPDX-License-Identifier: Apache-2.0 */
/* counting-semaphore(n): the one of POSIX. Its value starts at n; wait takes 1 if there is any, post adds 1. A post is
 * always legal, so the value has no top: it is kept as a number without sign, which all posts of a history cannot fill.
 */
#include "spec/facts.h"
#include "spec/number.h"
#include "spec/roles.h"
#include "spec/settings.h"

#include <inttypes.h>
#include <stdio.h>

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

static int64_t moved(const struct number *x, int by)
{
    return (int64_t)((uint64_t)x->value + (uint64_t)by);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *x = state;
    (void)choice;
    switch (call->method) {
    case SEMAPHORE_ACQUIRE: return x->value ? number_set(x, moved(x, -1), saved) : ASSAY_BLOCKED;
    case SEMAPHORE_RELEASE: return number_set(x, moved(x, 1), saved);
    default: return number_try(x, x->value, moved(x, -1), result, saved);
    }
}

static size_t describe(const void *state, char *out, size_t size)
{
    int n = snprintf(out, size, "%" PRIu64, (uint64_t)((const struct number *)state)->value);
    return n < 0 ? 0 : (size_t)n;
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
    .describe = describe,
};

/* ---- facts ---- */

static struct amount amount(const assay_setting *s, assay_value key, uint32_t which)
{
    (void)key;
    (void)which;
    return (struct amount){settings_value(s, s->parameter).integer, 0, AMOUNT_NO_TOP};
}

static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    if (call->method == SEMAPHORE_TRY && assay_value_same(call->result, assay_word("false")))
        return amount_told(0, 0);
    return amount_changes(call->method == SEMAPHORE_RELEASE ? 1 : -1);
}

const struct object_facts facts_counting_semaphore = {
    .spec = &spec_counting_semaphore,
    .blank = true,
    .any = ANY_LEVEL,
    .counts = COUNTS_PLACES,
    .amount = amount,
    .use = use,
};
