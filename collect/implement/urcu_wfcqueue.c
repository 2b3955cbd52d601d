/* SPDX-License-Identifier: Apache-2.0 */
/* wfcqueue of Userspace RCU: enqueues are wait-free, dequeues take the queue's own lock and wait for an enqueue that is
 * half done. */
#include "collect/implement/nodes.h"

enum { ENQ, DEQ };

static const assay_adapter_method methods[] = {{"enq", 1, NULL}, {"deq", 1, NULL}, {0}};

#ifdef ASSAY_WITH_URCU
#include <urcu/wfcqueue.h>

struct entry {
    struct cds_wfcq_node link; /* first */
    int64_t value;
};

struct queue {
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
    struct nodes nodes;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    if (!q || !nodes_init(&q->nodes, sizeof(struct entry), setting)) {
        free(q);
        return NULL;
    }
    cds_wfcq_init(&q->head, &q->tail);
    return q;
}

static void destroy(void *object)
{
    struct queue *q = object;
    cds_wfcq_destroy(&q->head, &q->tail);
    nodes_free(&q->nodes);
    free(q);
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
    .methods = methods,
#ifdef ASSAY_WITH_URCU
    .create = create,
    .destroy = destroy,
    .call = call,
#else
    .missing = "built without Userspace RCU: install liburcu-dev",
#endif
};
