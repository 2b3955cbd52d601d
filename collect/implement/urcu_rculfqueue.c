/* SPDX-License-Identifier: Apache-2.0 */
/* rculfqueue of Userspace RCU: Michael and Scott's queue, in read-side sections. The queue makes nodes of its own where
 * it would run empty, and frees them after a grace period. The nodes of the values are kept until the object ends. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_URCU
#include "collect/implement/urcu_threads.h"
#include <urcu/rculfqueue.h>

struct entry {
    struct cds_lfq_node_rcu link; /* first */
    int64_t value;
};

struct queue {
    struct nodes nodes; /* first */
    struct cds_lfq_queue_rcu queue;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = nodes_object(sizeof *q, sizeof(struct entry), setting);
    if (q)
        cds_lfq_init_rcu(&q->queue, call_rcu);
    return q;
}

static struct entry *deq(struct queue *q)
{
    rcu_read_lock();
    struct cds_lfq_node_rcu *link = cds_lfq_dequeue_rcu(&q->queue);
    rcu_read_unlock();
    return (struct entry *)(void *)link;
}

static void destroy(void *object)
{
    struct queue *q = object;
    rcu_register_thread();
    while (deq(q))
        continue;
    rcu_unregister_thread();
    cds_lfq_destroy_rcu(&q->queue);
    nodes_destroy(q);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    if (method == ENQ) {
        struct entry *e = nodes_take(&q->nodes, thread);
        e->value = args[0];
        cds_lfq_node_init_rcu(&e->link);
        rcu_read_lock();
        cds_lfq_enqueue_rcu(&q->queue, &e->link);
        rcu_read_unlock();
        return assay_answer_none();
    }
    struct entry *e = deq(q);
    return e ? assay_answer_int(e->value) : assay_answer_word("empty");
}
#endif

const assay_adapter adapter_urcu_rculfqueue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:urcu-rculfqueue",
    .object = "queue",
    .title = "rculfqueue of Userspace RCU",
    .methods = queue_methods,
    URCU_HOOKS(.create = create, .destroy = destroy, .enter = urcu_enter, .leave = urcu_leave, .call = call),
};
