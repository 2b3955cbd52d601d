/* SPDX-License-Identifier: Apache-2.0 */
/* lock: held by one at a time; any thread may release it, as long as it is held. With tags (holders.h), a release that
 * returns a tag releases the lock that was taken with it. */
#include "spec/holders.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"lock", "lock() or lock(tag)", LOCK_LOCK, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"acquire", "acquire() or acquire(tag)", LOCK_LOCK, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"unlock", "unlock(), or unlock() => tag", LOCK_UNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"release", "release(), or release() => tag", LOCK_UNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"trylock", "trylock() or trylock(tag) => true or false", LOCK_TRY, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {"tryacquire", "tryacquire() or tryacquire(tag) => true or false", LOCK_TRY, ASSAY_NONE_OR_ONE, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    return holders_new(1, setting, m);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    switch (call->method) {
    case LOCK_LOCK: return holders_take(state, call, saved);
    case LOCK_UNLOCK: return holders_release(state, call, choice, result, saved);
    default: return holders_try(state, call, result, saved);
    }
}

/* A try that failed. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool failed = call->method == LOCK_TRY && assay_value_same(call->result, assay_word("false"));
    return failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
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
    .refuse = settings_any,
    .create = create,
    .step = step,
    HOLDERS_HOOKS,
    .cut = cut,
    .describe = holders_describe_lock,
    .renews = renews,
};

/* ---- facts ---- */

/* A call that returned has found the lock free or held, as it needs it. */
static struct cell_access cell(const assay_call *call)
{
    bool failed = call->method == LOCK_TRY && assay_value_same(call->result, assay_word("false"));
    bool releases = call->method == LOCK_UNLOCK;
    struct cell_access c = {.sees = assay_word(releases || failed ? "true" : "false")};
    if (!failed)
        c.sets = assay_word(releases ? "false" : "true");
    return c;
}

static assay_value cell_initial(const assay_setting *s, assay_value key)
{
    return assay_word(holders_amount(s, key, 0).initial ? "true" : "false");
}

const struct object_facts facts_lock = {
    .spec = &spec_lock,
    .blank = true,
    .any = ANY_LEVEL,
    .labels = labels_of_lock,
    .cell = cell,
    .cell_initial = cell_initial,
    .counts = COUNTS_LOCK,
    .amount = holders_amount,
    .use = holders_use,
};
