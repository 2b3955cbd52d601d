/* SPDX-License-Identifier: Apache-2.0 */
/* counter: a number that is added to. A result of inc, dec and add, where there is one, is the new value; fetch-add
 * returns the old one. The counter does not wrap around. A call that would leave the numbers of 64 bits cannot take
 * effect, like a post of a semaphore that is full. */
#include "spec/facts.h"
#include "spec/number.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"inc", "inc() => new value", COUNTER_INC, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"increment", "increment() => new value", COUNTER_INC, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"dec", "dec() => new value", COUNTER_DEC, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"decrement", "decrement() => new value", COUNTER_DEC, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"add", "add(integer) => new value", COUNTER_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"fetch-add", "fetch-add(integer) => old value", COUNTER_FETCH_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"get-and-add", "get-and-add(integer) => old value", COUNTER_FETCH_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"get", "get() => value", COUNTER_GET, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"read", "read() => value", COUNTER_GET, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static const char *refuse(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].value.kind != ASSAY_INT && !binding_is_any(&s->init[i]))
            return "its initial value is an integer: `@init 5`";
    return settings_single(s);
}

static const char *refuse_call(const assay_call *call)
{
    bool adds = call->method == COUNTER_ADD || call->method == COUNTER_FETCH_ADD;
    return adds && call->args[0].kind != ASSAY_INT ? "what is added to a counter is an integer" : NULL;
}

int64_t counter_change(const assay_call *call)
{
    switch (call->method) {
    case COUNTER_INC: return 1;
    case COUNTER_DEC: return -1;
    case COUNTER_ADD:
    case COUNTER_FETCH_ADD: return call->args[0].integer;
    default: return 0;
    }
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *x = state;
    (void)choice;
    int64_t sum;
    if (__builtin_add_overflow(x->value, counter_change(call), &sum))
        return ASSAY_BLOCKED;
    *result = assay_int(call->method == COUNTER_FETCH_ADD ? x->value : sum);
    return number_set(x, sum, saved);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    return counter_change(call) == 0 ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_counter = {
    .version = ASSAY_SPEC_VERSION,
    .name = "counter",
    .title = "a number that is added to",
    .methods = methods,
    .refuse = refuse,
    .refuse_call = refuse_call,
    .create = number_create,
    .step = step,
    NUMBER_HOOKS,
    .cut = cut,
    .describe = number_describe,
};

/* ---- facts ---- */

static struct amount amount(const assay_setting *s, assay_value key, uint32_t which)
{
    (void)key;
    (void)which;
    return (struct amount){settings_value(s, assay_int(0)).integer, AMOUNT_NO_BOTTOM, AMOUNT_NO_TOP};
}

/* A result is the sum behind the call, or before a fetch-add. */
static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    struct amount_use u = amount_changes(counter_change(call));
    u.low = call->result.integer;
    u.tells = call->result.kind == ASSAY_INT &&
              (call->method == COUNTER_FETCH_ADD || !__builtin_sub_overflow(u.low, u.least, &u.low));
    u.high = u.low;
    return u;
}

const struct object_facts facts_counter = {
    .spec = &spec_counter,
    .blank = true,
    .any = ANY_SUM,
    .counts = COUNTS_SUM,
    .amount = amount,
    .use = use,
};
