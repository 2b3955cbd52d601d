/* SPDX-License-Identifier: Apache-2.0 */
/* ck_ring of Concurrency Kit with its operations for many producers and many consumers. */
#include "collect/implement/ck_ring_memory.h"

#ifdef ASSAY_WITH_CK
static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct ring_queue *q = object;
    void *value;
    (void)thread;
    if (method == ENQ)
        return ring_enqueued(ck_ring_enqueue_mpmc(&q->ring, q->room, (void *)(intptr_t)args[0]));
    bool found = ck_ring_dequeue_mpmc(&q->ring, q->room, &value);
    return ring_dequeued(found, value);
}
#endif

const assay_adapter adapter_ck_ring = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:ck-ring",
    .object = "queue",
    .title = "ck_ring of Concurrency Kit, with room for all",
    .methods = queue_methods,
    CK_HOOKS(.create = ring_create, .destroy = ring_destroy, .call = call),
};
