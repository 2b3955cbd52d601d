/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map with one lock around everything: the right counterpart of map:striped. */
#include "collect/implement/buckets.h"

#include <pthread.h>
#include <stdlib.h>

struct map {
    pthread_mutex_t lock;
    struct buckets buckets;
};

static void *create(const assay_adapter_setting *setting)
{
    struct map *m = calloc(1, sizeof *m);
    if (!m || !buckets_init(&m->buckets, setting)) {
        free(m);
        return NULL;
    }
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

static void destroy(void *object)
{
    struct map *m = object;
    pthread_mutex_destroy(&m->lock);
    buckets_free(&m->buckets);
    free(m);
}

static assay_answer contains_value(struct buckets *b, int64_t value)
{
    bool found = false;
    for (unsigned i = 0; i < BUCKETS && !found; i++) {
        ASSAY_POINT();
        found = bucket_contains_value(&b->at[i], value);
    }
    return assay_answer_bool(found);
}

static assay_answer size(struct buckets *b)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        ASSAY_POINT();
        sum += b->at[i].n;
    }
    return assay_answer_int(sum);
}

static assay_answer locked_call(struct buckets *b, unsigned method, const int64_t *args)
{
    if (method == MAP_SIZE)
        return size(b);
    if (method == MAP_CONTAINS_VALUE)
        return contains_value(b, args[0]);
    return bucket_call(&b->at[bucket_of(args[0])], method, args);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct map *m = object;
    (void)thread;
    pthread_mutex_lock(&m->lock);
    assay_answer answer = locked_call(&m->buckets, method, args);
    pthread_mutex_unlock(&m->lock);
    return answer;
}

const assay_adapter adapter_mutex_map = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:mutex",
    .object = "map",
    .title = "a hash map under one lock",
    .methods = buckets_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
