/* SPDX-License-Identifier: Apache-2.0 */
/* Values in an array, with one lock around everything: a queue takes them from the front, a stack from the back. */
#ifndef ASSAY_COLLECT_MUTEX_ARRAY_H
#define ASSAY_COLLECT_MUTEX_ARRAY_H

#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

enum { ARRAY_ADD, ARRAY_REMOVE, ARRAY_PEEK };

struct mutex_array {
    pthread_mutex_t lock;
    size_t first, last; /* of the values; a run adds no more than there is room for */
    int64_t values[];
};

static inline void *mutex_array_create(const assay_adapter_setting *setting)
{
    struct mutex_array *a = calloc(1, sizeof *a + setting->calls * sizeof *a->values);
    if (a)
        pthread_mutex_init(&a->lock, NULL);
    return a;
}

static inline void mutex_array_destroy(void *object)
{
    pthread_mutex_destroy(&((struct mutex_array *)object)->lock);
    free(object);
}

static inline assay_answer mutex_array_locked(struct mutex_array *a, bool front, unsigned method, const int64_t *args)
{
    ASSAY_POINT();
    if (method == ARRAY_ADD) {
        a->values[a->last++] = args[0];
        return assay_answer_none();
    }
    if (a->first == a->last)
        return assay_answer_word("empty");
    int64_t value = a->values[front ? a->first : a->last - 1];
    a->first += front && method == ARRAY_REMOVE;
    a->last -= !front && method == ARRAY_REMOVE;
    return assay_answer_int(value);
}

static inline assay_answer mutex_array_call(struct mutex_array *a, bool front, unsigned method, const int64_t *args)
{
    pthread_mutex_lock(&a->lock);
    assay_answer answer = mutex_array_locked(a, front, method, args);
    pthread_mutex_unlock(&a->lock);
    return answer;
}

#endif
