/* SPDX-License-Identifier: Apache-2.0 */
/* rwlock: held by one writer, or by any number of readers. The state is the number of readers, or -1 for a writer. */
#include "spec/facts.h"
#include "spec/number.h"
#include "spec/roles.h"
#include "spec/settings.h"

enum { WRITER = -1 };

static const assay_method methods[] = {
    {"rdlock", "rdlock()", RWLOCK_RDLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"rdunlock", "rdunlock()", RWLOCK_RDUNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"wrlock", "wrlock()", RWLOCK_WRLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"wrunlock", "wrunlock()", RWLOCK_WRUNLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"tryrdlock", "tryrdlock() => true or false", RWLOCK_TRYRDLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"trywrlock", "trywrlock() => true or false", RWLOCK_TRYWRLOCK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct number *x = state;
    (void)choice;
    bool written = x->value == WRITER, free = x->value == 0;
    switch (call->method) {
    case RWLOCK_RDLOCK: return written ? ASSAY_BLOCKED : number_set(x, x->value + 1, saved);
    case RWLOCK_RDUNLOCK: return written || free ? ASSAY_BLOCKED : number_set(x, x->value - 1, saved);
    case RWLOCK_WRLOCK: return free ? number_set(x, WRITER, saved) : ASSAY_BLOCKED;
    case RWLOCK_WRUNLOCK: return written ? number_set(x, 0, saved) : ASSAY_BLOCKED;
    case RWLOCK_TRYRDLOCK: return number_try(x, !written, x->value + 1, result, saved);
    default: return number_try(x, free, WRITER, result, saved);
    }
}

static size_t describe(const void *state, char *out, size_t size)
{
    long long readers = ((const struct number *)state)->value;
    if (readers > 0)
        return (size_t)snprintf(out, size, "held by %lld reader%s", readers, readers == 1 ? "" : "s");
    return (size_t)snprintf(out, size, "%s", readers ? "held by a writer" : "free");
}

static bool renews(unsigned method)
{
    return method == RWLOCK_WRUNLOCK;
}

const assay_spec spec_rwlock = {
    .version = ASSAY_SPEC_VERSION,
    .name = "rwlock",
    .title = "held by one writer or several readers",
    .methods = methods,
    .refuse = settings_any,
    .create = number_create,
    .step = step,
    NUMBER_HOOKS,
    .cut = number_cut_failed,
    .describe = describe,
    .renews = renews,
};

/* ---- facts ---- */

/* There are two amounts: the number of readers, and that of places. A writer takes all places, a reader one of them,
 * and there are more than calls. So a call that releases too much as a reader is found by the first amount. */
enum { READERS, PLACES, AMOUNTS };
#define ALL_PLACES ((int64_t)UINT32_MAX)

static uint32_t amounts(const assay_setting *s)
{
    (void)s;
    return AMOUNTS;
}

static struct amount amount(const assay_setting *s, assay_value key, uint32_t which)
{
    (void)key;
    int64_t readers = settings_value(s, assay_int(0)).integer, writer = which == PLACES ? ALL_PLACES : 0;
    return (struct amount){readers == WRITER ? writer : readers, 0, which == PLACES ? ALL_PLACES : AMOUNT_NO_TOP};
}

static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    int64_t writer = which == PLACES ? ALL_PLACES : 0;
    bool failed = assay_value_same(call->result, assay_word("false"));
    switch (call->method) {
    case RWLOCK_RDUNLOCK: return amount_changes(-1);
    case RWLOCK_WRUNLOCK: return amount_changes(-writer);
    case RWLOCK_TRYRDLOCK:
    case RWLOCK_RDLOCK:
        if (!failed)
            return amount_changes(1);
        return which == PLACES ? amount_told(ALL_PLACES, ALL_PLACES) : amount_changes(0);
    default:
        if (!failed)
            return amount_changes(writer);
        return which == PLACES ? amount_told(1, ALL_PLACES) : amount_changes(0);
    }
}

const struct object_facts facts_rwlock = {
    .spec = &spec_rwlock,
    .blank = true,
    .any = ANY_LEVEL,
    .counts = COUNTS_RWLOCK,
    .amounts = amounts,
    .amount = amount,
    .use = use,
};
