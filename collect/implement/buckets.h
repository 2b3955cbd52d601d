/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map of a few buckets, for two implementations that differ in their locks. map:mutex has one lock for all
 * buckets, map:striped one for each. So calls that visit several buckets are atomic in the first alone. */
#ifndef ASSAY_COLLECT_BUCKETS_H
#define ASSAY_COLLECT_BUCKETS_H

#include "collect/implement/shared.h"

#include <pthread.h>

enum { BUCKETS = 4 };

struct pair {
    int64_t key, value;
};

struct bucket {
    struct pair *pairs;
    uint32_t n;
};

struct buckets {
    struct bucket at[BUCKETS];
    pthread_mutex_t locks[BUCKETS]; /* without stripes the first alone is used */
    struct pair *room;
};

void *buckets_create(const assay_adapter_setting *setting);
void buckets_destroy(void *object);

static inline unsigned bucket_of(int64_t key)
{
    return (uint64_t)key % BUCKETS;
}

/* A call that concerns one key. These two want the bucket to be locked. */
assay_answer bucket_call(struct bucket *b, unsigned method, const int64_t *args);
bool bucket_contains_value(const struct bucket *b, int64_t value);

/* Inline, since each adapter has points of its own. */
static inline void buckets_lock(struct buckets *b, bool wanted, unsigned i)
{
    if (wanted)
        pthread_mutex_lock(&b->locks[i]);
}

static inline void buckets_unlock(struct buckets *b, bool wanted, unsigned i)
{
    if (wanted)
        pthread_mutex_unlock(&b->locks[i]);
}

/* size, and contains-value until it is found. */
static inline assay_answer buckets_walk(struct buckets *b, bool striped, unsigned method, const int64_t *args)
{
    int64_t size = 0;
    bool found = false;
    for (unsigned i = 0; i < BUCKETS && !found; i++) {
        ASSAY_POINT();
        buckets_lock(b, striped, i);
        size += b->at[i].n;
        found = method == MAP_CONTAINS_VALUE && bucket_contains_value(&b->at[i], args[0]);
        buckets_unlock(b, striped, i);
    }
    return method == MAP_SIZE ? assay_answer_int(size) : assay_answer_bool(found);
}

static inline assay_answer buckets_call(struct buckets *b, bool striped, unsigned method, const int64_t *args)
{
    if (method == MAP_SIZE || method == MAP_CONTAINS_VALUE)
        return buckets_walk(b, striped, method, args);
    unsigned i = bucket_of(args[0]);
    ASSAY_POINT();
    buckets_lock(b, striped, i);
    assay_answer answer = bucket_call(&b->at[i], method, args);
    buckets_unlock(b, striped, i);
    return answer;
}

#endif
