/* SPDX-License-Identifier: Apache-2.0 */
/* wfcqueue of Userspace RCU: enqueues are wait-free, dequeues take the queue's own lock and wait for an enqueue that is
 * half done. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_URCU
#include <urcu/wfcqueue.h>

struct entry {
    struct cds_wfcq_node link; /* first */
    int64_t value;
};

struct queue {
    struct nodes nodes; /* first */
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = nodes_object(sizeof *q, sizeof(struct entry), setting);
    if (q)
        cds_wfcq_init(&q->head, &q->tail);
    return q;
}

static void destroy(void *object)
{
    struct queue *q = object;
    cds_wfcq_destroy(&q->head, &q->tail);
    nodes_destroy(q);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    if (method == ENQ) {
        struct entry *e = nodes_take(&q->nodes, thread);
        e->value = args[0];
        cds_wfcq_node_init(&e->link);
        cds_wfcq_enqueue(&q->head, &q->tail, &e->link);
        return assay_answer_none();
    }
    struct entry *e = (struct entry *)(void *)cds_wfcq_dequeue_blocking(&q->head, &q->tail);
    return e ? assay_answer_int(e->value) : assay_answer_word("empty");
}
#endif

const assay_adapter adapter_urcu_wfcqueue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:urcu-wfcqueue",
    .object = "queue",
    .title = "wfcqueue of Userspace RCU",
    .methods = queue_methods,
    URCU_HOOKS(.create = create, .destroy = destroy, .call = call),
};
