/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map with a lock for each bucket. What concerns one key is atomic. contains-value walks from bucket to bucket, so
 * it may miss a value that moves from one that is still to come to one that it has left; size reads a counter that
 * follows the buckets a moment later. Both are weakly consistent, as in java.util.concurrent.ConcurrentHashMap. */
#include "collect/implement/buckets.h"

#include <pthread.h>
#include <stdlib.h>

struct map {
    pthread_mutex_t locks[BUCKETS];
    struct buckets buckets;
};

static void *create(const assay_adapter_setting *setting)
{
    struct map *m = calloc(1, sizeof *m);
    if (!m || !buckets_init(&m->buckets, setting)) {
        free(m);
        return NULL;
    }
    for (unsigned i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&m->locks[i], NULL);
    return m;
}

static void destroy(void *object)
{
    struct map *m = object;
    for (unsigned i = 0; i < BUCKETS; i++)
        pthread_mutex_destroy(&m->locks[i]);
    buckets_free(&m->buckets);
    free(m);
}

static bool contains_value(struct map *m, int64_t value)
{
    bool found = false;
    for (unsigned i = 0; i < BUCKETS && !found; i++) {
        ASSAY_POINT();
        pthread_mutex_lock(&m->locks[i]);
        found = bucket_contains_value(&m->buckets.at[i], value);
        pthread_mutex_unlock(&m->locks[i]);
    }
    return found;
}

/* A removal may be counted before the insertion it removes: never say that there are fewer than none. */
static int64_t size(struct map *m)
{
    int64_t count = atomic_load(&m->buckets.count);
    return count > 0 ? count : 0;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct map *m = object;
    (void)thread;
    if (method == MAP_SIZE)
        return assay_answer_int(size(m));
    if (method == MAP_CONTAINS_VALUE)
        return assay_answer_bool(contains_value(m, args[0]));
    unsigned i = bucket_of(args[0]);
    int change = 0;
    pthread_mutex_lock(&m->locks[i]);
    assay_answer answer = bucket_call(&m->buckets.at[i], method, args, &change);
    pthread_mutex_unlock(&m->locks[i]);
    ASSAY_POINT();
    atomic_fetch_add(&m->buckets.count, change);
    return answer;
}

const assay_adapter adapter_striped_map = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:striped",
    .object = "map",
    .title = "a hash map with a lock for each bucket",
    .satisfies = "level:complete",
    .visibility = "contains-value=weak,size=weak",
    .methods = buckets_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
