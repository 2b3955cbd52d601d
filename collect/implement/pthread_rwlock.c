/* SPDX-License-Identifier: Apache-2.0 */
/* The read/write lock of the C library. */
#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

static void *create(const assay_adapter_setting *setting)
{
    pthread_rwlock_t *l = malloc(sizeof *l);
    (void)setting;
    if (l)
        pthread_rwlock_init(l, NULL);
    return l;
}

static void destroy(void *object)
{
    pthread_rwlock_destroy(object);
    free(object);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    (void)args;
    switch (method) {
    case TRYRDLOCK: return assay_answer_bool(pthread_rwlock_tryrdlock(object) == 0);
    case TRYWRLOCK: return assay_answer_bool(pthread_rwlock_trywrlock(object) == 0);
    case RDLOCK: pthread_rwlock_rdlock(object); break;
    case WRLOCK: pthread_rwlock_wrlock(object); break;
    default: pthread_rwlock_unlock(object);
    }
    return assay_answer_none();
}

const assay_adapter adapter_pthread_rwlock = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "rwlock:pthread-rwlock",
    .object = "rwlock",
    .title = "the read/write lock of the C library",
    .methods = rwlock_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
};
