/* SPDX-License-Identifier: Apache-2.0 */
/* A data structure of one's own under `assay stress`: docs/guides/stress.md explains it step by step.
 *
 *   cc -shared -fPIC -pthread -o adapter.so adapter.c
 *   assay stress --load ./adapter.so
 *   cc -shared -fPIC -pthread -DNEWEST_FIRST -o broken.so adapter.c
 *   assay stress --load ./broken.so */
#include <assay_adapter.h>

#include <pthread.h>
#include <stdlib.h>

/* ---- the data structure: a linked list with a lock ---- */

struct node {
    struct node *next;
    int64_t value;
};

struct queue {
    pthread_mutex_t lock;
    struct node *first, **last;
};

static void enqueue(struct queue *q, int64_t value)
{
    struct node *node = (struct node *)malloc(sizeof *node);
    if (!node)
        abort();
    node->next = NULL;
    node->value = value;
    pthread_mutex_lock(&q->lock);
#ifdef NEWEST_FIRST /* a mistake */
    node->next = q->first;
    q->first = node;
#else
    *q->last = node;
    q->last = &node->next;
#endif
    pthread_mutex_unlock(&q->lock);
}

static int dequeue(struct queue *q, int64_t *value)
{
    pthread_mutex_lock(&q->lock);
    struct node *node = q->first;
    if (node) {
        ASSAY_POINT(); /* here others may be let in, if the lock does not keep them out */
        q->first = node->next;
        if (!q->first)
            q->last = &q->first;
    }
    pthread_mutex_unlock(&q->lock);
    if (!node)
        return 0;
    *value = node->value;
    free(node);
    return 1;
}

/* ---- the adapter ---- */

enum { ENQ, DEQ }; /* their places among the methods */

static const assay_adapter_method methods[] = {
    {"enq", 1, NULL}, /* the names are those of the object: assay list objects --json */
    {"deq", 1, NULL},
    {NULL, 0, NULL},
};

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = (struct queue *)malloc(sizeof *q);
    (void)setting;
    if (!q)
        return NULL;
    pthread_mutex_init(&q->lock, NULL);
    q->first = NULL;
    q->last = &q->first;
    return q;
}

static void destroy(void *object)
{
    struct queue *q = (struct queue *)object;
    int64_t ignored;
    while (dequeue(q, &ignored))
        continue;
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = (struct queue *)object;
    int64_t value;
    (void)thread;
    if (method == ENQ) {
        enqueue(q, args[0]);
        return assay_answer_none();
    }
    return dequeue(q, &value) ? assay_answer_int(value) : assay_answer_word("empty");
}

static const assay_adapter mine = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:mine",
    .object = "queue",
    .title = "a linked list with a lock",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};

const assay_adapter *const assay_adapters[] = {&mine, NULL};
