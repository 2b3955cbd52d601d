/* SPDX-License-Identifier: Apache-2.0 */
/* The mutex of the C library. */
#include "assay_adapter.h"

#include <pthread.h>
#include <stdlib.h>

enum { LOCK, TRYLOCK, UNLOCK };

static const assay_adapter_method methods[] = {
    {"lock", 1, NULL}, {"trylock", 1, NULL}, {"unlock", 1, "lock trylock"}, {0}};

static void *create(const assay_adapter_setting *setting)
{
    pthread_mutex_t *m = malloc(sizeof(pthread_mutex_t));
    (void)setting;
    if (m)
        pthread_mutex_init(m, NULL);
    return m;
}

static void destroy(void *object)
{
    pthread_mutex_destroy(object);
    free(object);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    (void)args;
    if (method == TRYLOCK)
        return assay_answer_bool(pthread_mutex_trylock(object) == 0);
    if (method == LOCK)
        pthread_mutex_lock(object);
    else
        pthread_mutex_unlock(object);
    return assay_answer_none();
}

const assay_adapter adapter_pthread_mutex = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "lock:pthread-mutex",
    .object = "lock",
    .title = "the mutex of the C library",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
};
