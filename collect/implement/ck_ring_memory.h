/* SPDX-License-Identifier: Apache-2.0 */
/* A ck_ring of Concurrency Kit, a bounded buffer, and its places. An enqueue would fail where the ring is full: this
 * one has room for all that a run adds. */
#ifndef ASSAY_COLLECT_CK_RING_MEMORY_H
#define ASSAY_COLLECT_CK_RING_MEMORY_H

#include "collect/implement/shared.h"

#ifdef ASSAY_WITH_CK
#include <ck_ring.h>
#include <stdlib.h>

struct ring_queue {
    ck_ring_t ring;
    ck_ring_buffer_t *room;
};

static inline void *ring_create(const assay_adapter_setting *setting)
{
    struct ring_queue *q = calloc(1, sizeof *q);
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

static inline void ring_destroy(void *object)
{
    free(((struct ring_queue *)object)->room);
    free(object);
}

static inline assay_answer ring_enqueued(bool done)
{
    return done ? assay_answer_none() : assay_answer_word("full");
}

static inline assay_answer ring_dequeued(bool found, void *value)
{
    return found ? assay_answer_int((intptr_t)value) : assay_answer_word("empty");
}
#endif

#endif
