/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map of a few buckets, for two implementations that differ in their locks: which buckets are locked while a
 * call visits several? All functions want the bucket to be locked. */
#ifndef ASSAY_COLLECT_BUCKETS_H
#define ASSAY_COLLECT_BUCKETS_H

#include "assay_adapter.h"

#include <stdbool.h>

enum { BUCKETS = 4 };
enum { MAP_PUT, MAP_GET, MAP_REMOVE, MAP_CONTAINS_KEY, MAP_CONTAINS_VALUE, MAP_SIZE };

extern const assay_adapter_method buckets_methods[];

struct pair {
    int64_t key, value;
};

struct bucket {
    struct pair *pairs;
    uint32_t n;
};

struct buckets {
    struct bucket at[BUCKETS];
    struct pair *room;
};

bool buckets_init(struct buckets *b, const assay_adapter_setting *setting);
void buckets_free(struct buckets *b);

static inline unsigned bucket_of(int64_t key)
{
    return (uint64_t)key % BUCKETS;
}

/* A call that concerns one key. */
assay_answer bucket_call(struct bucket *b, unsigned method, const int64_t *args);
bool bucket_contains_value(const struct bucket *b, int64_t value);

#endif
