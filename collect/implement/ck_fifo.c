/* SPDX-License-Identifier: Apache-2.0 */
/* ck_fifo_mpmc of Concurrency Kit: Michael and Scott's queue with counted pointers. A dequeue hands back the entry that
 * the queue no longer needs; entries are not used again here. */
#include "collect/implement/nodes.h"

enum { ENQ, DEQ };

static const assay_adapter_method methods[] = {{"enq", 1, NULL}, {"deq", 1, NULL}, {0}};

#ifdef ASSAY_WITH_CK
#include <ck_fifo.h>

struct queue {
    ck_fifo_mpmc_t fifo;
    ck_fifo_mpmc_entry_t stub;
    struct nodes nodes;
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = nodes_aligned(sizeof *q);
    if (!q || !nodes_init(&q->nodes, sizeof(ck_fifo_mpmc_entry_t), setting)) {
        free(q);
        return NULL;
    }
    ck_fifo_mpmc_init(&q->fifo, &q->stub);
    return q;
}

static void destroy(void *object)
{
    nodes_free(&((struct queue *)object)->nodes);
    free(object);
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
    .methods = methods,
#ifdef ASSAY_WITH_CK
    .create = create,
    .destroy = destroy,
    .call = call,
#else
    .missing = "built without Concurrency Kit: install libck-dev",
#endif
};
