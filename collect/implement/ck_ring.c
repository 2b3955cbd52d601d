/* SPDX-License-Identifier: Apache-2.0 */
/* ck_ring of Concurrency Kit, a bounded buffer, with its operations for many producers and many consumers. An enqueue
 * would fail where the ring is full: this one has room for all that a run adds. */
#include "collect/implement/shared.h"

#include <stdlib.h>

#ifdef ASSAY_WITH_CK
#include <ck_ring.h>

struct queue {
    ck_ring_t ring;
    ck_ring_buffer_t *room;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    unsigned size = 4; /* a power of two; one place stays free */
    while (size < setting->calls + 1)
        size *= 2;
    if (!q || !(q->room = calloc(size, sizeof *q->room))) {
        free(q);
        return NULL;
    }
    ck_ring_init(&q->ring, size);
    return q;
}

static void destroy(void *object)
{
    free(((struct queue *)object)->room);
    free(object);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    void *value;
    (void)thread;
    if (method == ENQ) {
        bool done = ck_ring_enqueue_mpmc(&q->ring, q->room, (void *)(intptr_t)args[0]);
        return done ? assay_answer_none() : assay_answer_word("full");
    }
    if (!ck_ring_dequeue_mpmc(&q->ring, q->room, &value))
        return assay_answer_word("empty");
    return assay_answer_int((intptr_t)value);
}
#endif

const assay_adapter adapter_ck_ring = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:ck-ring",
    .object = "queue",
    .title = "ck_ring of Concurrency Kit, with room for all",
    .methods = queue_methods,
    CK_HOOKS(.create = create, .destroy = destroy, .call = call),
};
