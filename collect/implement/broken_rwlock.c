/* SPDX-License-Identifier: Apache-2.0 */
/* A read/write lock of one number, the readers or -1 for a writer, that is wrong in one place. A reader looks whether
 * there is a writer, and adds itself a moment later. In between a writer may have come. (Right is to compare and swap.)
 * The number is at any time the readers less the writers. So every holder gets out, and no thread waits for ever. */
#include "collect/implement/shared.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct lock {
    atomic_int state;
};

static void *create(const assay_adapter_setting *setting)
{
    (void)setting;
    return calloc(1, sizeof(struct lock));
}

static bool try_read(struct lock *l)
{
    if (atomic_load(&l->state) < 0)
        return false;
    ASSAY_POINT();
    atomic_fetch_add(&l->state, 1);
    return true;
}

static bool try_write(struct lock *l)
{
    int nobody = 0;
    return atomic_compare_exchange_strong(&l->state, &nobody, -1);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct lock *l = object;
    (void)thread;
    (void)args;
    switch (method) {
    case TRYRDLOCK: return assay_answer_bool(try_read(l));
    case TRYWRLOCK: return assay_answer_bool(try_write(l));
    case RDLOCK:
        while (!try_read(l))
            sched_yield();
        break;
    case WRLOCK:
        while (!try_write(l))
            sched_yield();
        break;
    case RDUNLOCK: atomic_fetch_sub(&l->state, 1); break;
    default: atomic_fetch_add(&l->state, 1);
    }
    return assay_answer_none();
}

const assay_adapter adapter_broken_rwlock = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "rwlock:broken",
    .object = "rwlock",
    .title = "a read/write lock of one number",
    .flaw = "a reader looks for a writer, and adds itself a moment later",
    .methods = rwlock_methods,
    .create = create,
    .destroy = free,
    .call = call,
    .point = &assay_adapter_point,
};
