/* SPDX-License-Identifier: Apache-2.0 */
/* The semaphore of the C library, held by at most two. */
#include "assay_adapter.h"

#include <semaphore.h>
#include <stdlib.h>

enum { ACQUIRE, TRYACQUIRE, RELEASE };

static const assay_adapter_method methods[] = {
    {"acquire", 1, NULL}, {"tryacquire", 1, NULL}, {"release", 1, "acquire tryacquire"}, {0}};

static void *create(const assay_adapter_setting *setting)
{
    sem_t *s = malloc(sizeof *s);
    (void)setting;
    if (s)
        sem_init(s, 0, 2);
    return s;
}

static void destroy(void *object)
{
    sem_destroy(object);
    free(object);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    (void)args;
    if (method == TRYACQUIRE)
        return assay_answer_bool(sem_trywait(object) == 0);
    if (method == RELEASE)
        sem_post(object);
    else
        while (sem_wait(object) != 0) /* a signal woke it */
            continue;
    return assay_answer_none();
}

const assay_adapter adapter_posix_semaphore = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "semaphore:posix",
    .object = "semaphore(2)",
    .title = "sem_t, the semaphore of the C library",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
};
