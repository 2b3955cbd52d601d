/* SPDX-License-Identifier: Apache-2.0 */
/* ck_fifo_mpmc of Concurrency Kit: Michael and Scott's queue with counted pointers. A dequeue hands back the entry that
 * the queue no longer needs; entries are not used again here. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_CK
#include <ck_fifo.h>

struct queue {
    struct nodes nodes; /* first */
    ck_fifo_mpmc_t fifo;
    ck_fifo_mpmc_entry_t stub;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = nodes_object(sizeof *q, sizeof(ck_fifo_mpmc_entry_t), setting);
    if (q)
        ck_fifo_mpmc_init(&q->fifo, &q->stub);
    return q;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    ck_fifo_mpmc_entry_t *garbage;
    void *value;
    if (method == ENQ) {
        ck_fifo_mpmc_enqueue(&q->fifo, nodes_take(&q->nodes, thread), (void *)(intptr_t)args[0]);
        return assay_answer_none();
    }
    if (!ck_fifo_mpmc_dequeue(&q->fifo, &value, &garbage))
        return assay_answer_word("empty");
    return assay_answer_int((intptr_t)value);
}
#endif

const assay_adapter adapter_ck_fifo = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:ck-fifo",
    .object = "queue",
    .title = "ck_fifo_mpmc of Concurrency Kit",
    .methods = queue_methods,
    CK_HOOKS(.create = create, .destroy = nodes_destroy, .call = call),
};
