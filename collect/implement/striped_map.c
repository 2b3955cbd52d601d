/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map with a lock for each bucket. Calls about one key are atomic. contains-value and size walk from bucket to
 * bucket. So they may miss a value that moves from a bucket that is still to come to one that they have left. Both are
 * weakly consistent, as in java.util.concurrent.ConcurrentHashMap: they see the state of each bucket at the time of
 * their visit. */
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

static assay_answer contains_value(struct map *m, int64_t value)
{
    bool found = false;
    for (unsigned i = 0; i < BUCKETS && !found; i++) {
        ASSAY_POINT();
        pthread_mutex_lock(&m->locks[i]);
        found = bucket_contains_value(&m->buckets.at[i], value);
        pthread_mutex_unlock(&m->locks[i]);
    }
    return assay_answer_bool(found);
}

static assay_answer size(struct map *m)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        ASSAY_POINT();
        pthread_mutex_lock(&m->locks[i]);
        sum += m->buckets.at[i].n;
        pthread_mutex_unlock(&m->locks[i]);
    }
    return assay_answer_int(sum);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct map *m = object;
    (void)thread;
    if (method == MAP_SIZE)
        return size(m);
    if (method == MAP_CONTAINS_VALUE)
        return contains_value(m, args[0]);
    unsigned i = bucket_of(args[0]);
    ASSAY_POINT();
    pthread_mutex_lock(&m->locks[i]);
    assay_answer answer = bucket_call(&m->buckets.at[i], method, args);
    pthread_mutex_unlock(&m->locks[i]);
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
