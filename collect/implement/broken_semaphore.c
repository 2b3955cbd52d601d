/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore that is wrong in one place: it looks whether anything is left, and takes it a moment later. So two
 * threads may take the last one. It never waits, since the fault may also lose a release in between. */
#include "assay_adapter.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { TRYACQUIRE, RELEASE };

static const assay_adapter_method methods[] = {{"tryacquire", 2, NULL}, {"release", 1, "tryacquire"}, {0}};

struct semaphore {
    atomic_int left;
};

static void *create(const assay_adapter_setting *setting)
{
    struct semaphore *s = malloc(sizeof *s);
    (void)setting;
    if (s)
        atomic_init(&s->left, 2);
    return s;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct semaphore *s = object;
    (void)thread;
    (void)args;
    if (method == RELEASE) {
        atomic_fetch_add(&s->left, 1);
        return assay_answer_none();
    }
    int left = atomic_load(&s->left);
    if (left <= 0)
        return assay_answer_bool(0);
    ASSAY_POINT();
    atomic_store(&s->left, left - 1);
    return assay_answer_bool(1);
}

const assay_adapter adapter_broken_semaphore = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "semaphore:broken",
    .object = "semaphore(2)",
    .title = "a semaphore of one variable",
    .flaw = "it looks what is left, and takes it a moment later",
    .methods = methods,
    .create = create,
    .destroy = free,
    .call = call,
    .point = &assay_adapter_point,
};
