/* SPDX-License-Identifier: Apache-2.0 */
/* A queue that may reorder, but not by much, in the manner of Kirsch, Lippautz and Payer (PaCT 2013): segments of K
 * slots one behind the other. An enqueue takes any free slot of the last segment, a dequeue any value of the first. So
 * each has K places to try instead of one to contend for. A value is overtaken only by values of its own segment: fewer
 * than K.
 *
 * A slot is free, then perhaps holds a value, then is closed, for good. Before the first segment is given up each of
 * its slots is closed, so that no enqueue comes too late. */
#include "collect/implement/shared.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { K = 3 };
#define FREE INT64_MIN
#define CLOSED (INT64_MIN + 1)

struct queue {
    _Atomic uint32_t first, last; /* segments */
    _Atomic uint64_t random;
    _Atomic int64_t *slots;
};

static void destroy(void *object)
{
    struct queue *q = object;
    free((void *)q->slots);
    free(q);
}

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    size_t slots = ((size_t)setting->calls + 1) * K; /* a segment is given up only by a call */
    if (!q || !(q->slots = malloc(slots * sizeof *q->slots))) {
        free(q);
        return NULL;
    }
    for (size_t i = 0; i < slots; i++)
        atomic_init(&q->slots[i], FREE);
    atomic_init(&q->random, setting->seed);
    return q;
}

static uint32_t somewhere(struct queue *q)
{
    uint64_t x = atomic_fetch_add(&q->random, 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)(x >> 40) % K;
}

static void enq(struct queue *q, int64_t value)
{
    for (;;) {
        uint32_t last = atomic_load(&q->last), start = somewhere(q);
        for (uint32_t i = 0; i < K; i++) {
            int64_t expected = FREE;
            if (atomic_compare_exchange_strong(&q->slots[last * K + (start + i) % K], &expected, value))
                return;
        }
        ASSAY_POINT();
        atomic_compare_exchange_strong(&q->last, &last, last + 1);
    }
}

/* Takes the value of a slot, or leaves it free; with `close` it is closed in either case. */
static int64_t take(_Atomic int64_t *slot, int close)
{
    int64_t found = atomic_load(slot);
    ASSAY_POINT();
    while (found != CLOSED && (found != FREE || close))
        if (atomic_compare_exchange_strong(slot, &found, CLOSED))
            return found;
    return FREE;
}

static assay_answer deq(struct queue *q)
{
    for (;;) {
        uint32_t first = atomic_load(&q->first), last = atomic_load(&q->last), start = somewhere(q);
        for (uint32_t i = 0; i < K; i++) {
            int64_t found = take(&q->slots[first * K + (start + i) % K], first < last);
            if (found != FREE)
                return assay_answer_int(found);
        }
        if (first == last)
            return assay_answer_word("empty");
        atomic_compare_exchange_strong(&q->first, &first, first + 1);
    }
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    if (method == DEQ)
        return deq(object);
    enq(object, args[0]);
    return assay_answer_none();
}

const assay_adapter adapter_k_fifo = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:k-fifo",
    .object = "queue",
    .title = "a relaxed queue: values are overtaken, but not by many",
    .satisfies = "level:weak",
    .methods = queue_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
