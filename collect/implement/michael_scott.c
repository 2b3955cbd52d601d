/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott (PODC 1996): a list with a dummy in front. The tail may lag by one node, and a thread
 * that notices advances it. Nodes come from a pool and are not used twice, so there is no ABA problem to solve. */
#include "collect/implement/shared.h"

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int64_t value;
    _Atomic uint32_t next; /* 0: none; node 0 is the first dummy, and never a successor */
};

struct queue {
    _Atomic uint32_t head, tail, used;
    struct node *nodes;
};

static void destroy(void *object)
{
    struct queue *q = object;
    free(q->nodes);
    free(q);
}

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    if (q && !(q->nodes = calloc((size_t)setting->calls + 1, sizeof *q->nodes))) {
        destroy(q);
        return NULL;
    }
    return q;
}

static void enq(struct queue *q, int64_t value)
{
    uint32_t node = atomic_fetch_add(&q->used, 1) + 1;
    q->nodes[node].value = value;
    for (;;) {
        uint32_t tail = atomic_load(&q->tail), next = atomic_load(&q->nodes[tail].next);
        ASSAY_POINT();
        if (next) {
            atomic_compare_exchange_strong(&q->tail, &tail, next);
        } else if (atomic_compare_exchange_strong(&q->nodes[tail].next, &next, node)) {
            ASSAY_POINT();
            atomic_compare_exchange_strong(&q->tail, &tail, node);
            return;
        }
    }
}

static assay_answer deq(struct queue *q)
{
    for (;;) {
        uint32_t head = atomic_load(&q->head), tail = atomic_load(&q->tail);
        uint32_t next = atomic_load(&q->nodes[head].next);
        ASSAY_POINT();
        if (!next)
            return assay_answer_word("empty");
        if (head == tail)
            atomic_compare_exchange_strong(&q->tail, &tail, next);
        else if (atomic_compare_exchange_strong(&q->head, &head, next))
            return assay_answer_int(q->nodes[next].value);
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

const assay_adapter adapter_michael_scott = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:michael-scott",
    .object = "queue",
    .title = "Michael and Scott's lock-free queue",
    .methods = queue_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
