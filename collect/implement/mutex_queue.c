/* SPDX-License-Identifier: Apache-2.0 */
/* A queue in an array, with one lock around everything. */
#include "assay_adapter.h"

#include <pthread.h>
#include <stdlib.h>

enum { ENQ, DEQ, PEEK };

static const assay_adapter_method methods[] = {{"enq", 2, NULL}, {"deq", 2, NULL}, {"peek", 1, NULL}, {0}};

struct queue {
    pthread_mutex_t lock;
    size_t first, last; /* of the values; a run adds no more than there is room for */
    int64_t values[];
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q + setting->calls * sizeof *q->values);
    if (q)
        pthread_mutex_init(&q->lock, NULL);
    return q;
}

static void destroy(void *object)
{
    pthread_mutex_destroy(&((struct queue *)object)->lock);
    free(object);
}

static assay_answer locked_call(struct queue *q, unsigned method, const int64_t *args)
{
    ASSAY_POINT();
    if (method == ENQ) {
        q->values[q->last++] = args[0];
        return assay_answer_none();
    }
    if (q->first == q->last)
        return assay_answer_word("empty");
    return assay_answer_int(q->values[method == DEQ ? q->first++ : q->first]);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    (void)thread;
    pthread_mutex_lock(&q->lock);
    assay_answer answer = locked_call(q, method, args);
    pthread_mutex_unlock(&q->lock);
    return answer;
}

const assay_adapter adapter_mutex_queue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:mutex",
    .object = "queue",
    .title = "an array under one lock",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
