/* SPDX-License-Identifier: Apache-2.0 */
/* The lazy list of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit (OPODIS 2005): a sorted list with a lock in
 * each node. A change searches for its place without locks, locks the two nodes there, and starts again unless both are
 * still in the list and neighbours. A removal marks its node before it unlinks it. So contains needs no lock: a value
 * is in the set if its node is found and not marked. Nodes come from a pool and are not used twice. */
#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int64_t value;
    _Atomic bool marked;
    struct node *_Atomic next;
};

struct set {
    struct node *nodes; /* the first two are the ends of the list */
    uint32_t size;
    _Atomic uint32_t used;
};

static void destroy(void *object)
{
    struct set *s = object;
    for (uint32_t i = 0; i < s->size; i++)
        pthread_mutex_destroy(&s->nodes[i].lock);
    free(s->nodes);
    free(s);
}

static void *create(const assay_adapter_setting *setting)
{
    struct set *s = calloc(1, sizeof *s);
    if (!s || !(s->nodes = calloc((size_t)setting->calls + 2, sizeof *s->nodes))) {
        free(s);
        return NULL;
    }
    s->size = setting->calls + 2;
    for (uint32_t i = 0; i < s->size; i++)
        pthread_mutex_init(&s->nodes[i].lock, NULL);
    s->nodes[0].value = INT64_MIN;
    s->nodes[1].value = INT64_MAX;
    atomic_init(&s->nodes[0].next, &s->nodes[1]);
    atomic_init(&s->used, 2);
    return s;
}

/* The last node below the value, and the one after it. */
static struct node *find(struct set *s, int64_t value, struct node **after)
{
    struct node *before = &s->nodes[0], *node = atomic_load(&before->next);
    while (node->value < value) {
        before = node;
        node = atomic_load(&node->next);
    }
    *after = node;
    return before;
}

static bool in_place(struct node *before, struct node *node)
{
    return !atomic_load(&before->marked) && !atomic_load(&node->marked) && atomic_load(&before->next) == node;
}

static bool link_value(struct set *s, struct node *before, struct node *node, int64_t value)
{
    if (node->value == value)
        return false;
    struct node *fresh = &s->nodes[atomic_fetch_add(&s->used, 1)];
    fresh->value = value;
    atomic_init(&fresh->next, node);
    ASSAY_POINT();
    atomic_store(&before->next, fresh);
    return true;
}

static bool unlink_value(struct node *before, struct node *node, int64_t value)
{
    if (node->value != value)
        return false;
    atomic_store(&node->marked, true);
    ASSAY_POINT();
    atomic_store(&before->next, atomic_load(&node->next));
    return true;
}

static bool change(struct set *s, unsigned method, int64_t value)
{
    for (;;) {
        struct node *node, *before = find(s, value, &node);
        ASSAY_POINT();
        pthread_mutex_lock(&before->lock);
        pthread_mutex_lock(&node->lock);
        bool fits = in_place(before, node), done = false;
        if (fits)
            done = method == SET_ADD ? link_value(s, before, node, value) : unlink_value(before, node, value);
        pthread_mutex_unlock(&node->lock);
        pthread_mutex_unlock(&before->lock);
        if (fits)
            return done;
    }
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct node *node;
    (void)thread;
    if (method != SET_CONTAINS)
        return assay_answer_bool(change(object, method, args[0]));
    find(object, args[0], &node);
    ASSAY_POINT();
    return assay_answer_bool(node->value == args[0] && !atomic_load(&node->marked));
}

const assay_adapter adapter_lazy_list = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "set:lazy-list",
    .object = "set",
    .title = "the lazy list: changes lock two nodes, contains none",
    .methods = set_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
