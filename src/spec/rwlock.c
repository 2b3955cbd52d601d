/* SPDX-License-Identifier: Apache-2.0 */
/* rwlock: held by one writer, or by any number of readers. The state is the number of readers, or -1 for a writer. */
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
