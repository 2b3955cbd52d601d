/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/buckets.h"

#include <stdlib.h>

void *buckets_create(const assay_adapter_setting *setting)
{
    struct buckets *b = calloc(1, sizeof *b);
    if (!b || !(b->room = calloc((size_t)BUCKETS * setting->calls + 1, sizeof *b->room))) {
        free(b);
        return NULL;
    }
    for (unsigned i = 0; i < BUCKETS; i++) {
        b->at[i].pairs = &b->room[(size_t)i * setting->calls];
        pthread_mutex_init(&b->locks[i], NULL);
    }
    return b;
}

void buckets_destroy(void *object)
{
    struct buckets *b = object;
    for (unsigned i = 0; i < BUCKETS; i++)
        pthread_mutex_destroy(&b->locks[i]);
    free(b->room);
    free(b);
}

static assay_answer put(struct bucket *b, struct pair *old, const int64_t *args)
{
    assay_answer answer = old ? assay_answer_int(old->value) : assay_answer_word("null");
    if (!old) {
        old = &b->pairs[b->n++];
        old->key = args[0];
    }
    old->value = args[1];
    return answer;
}

assay_answer bucket_call(struct bucket *b, unsigned method, const int64_t *args)
{
    uint32_t i = 0;
    while (i < b->n && b->pairs[i].key != args[0])
        i++;
    struct pair *old = i < b->n ? &b->pairs[i] : NULL;
    if (method == MAP_CONTAINS_KEY)
        return assay_answer_bool(old != NULL);
    if (method == MAP_PUT)
        return put(b, old, args);
    if (!old)
        return assay_answer_word("null");
    int64_t value = old->value;
    if (method == MAP_REMOVE)
        *old = b->pairs[--b->n];
    return assay_answer_int(value);
}

bool bucket_contains_value(const struct bucket *b, int64_t value)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->pairs[i].value == value)
            return true;
    return false;
}
