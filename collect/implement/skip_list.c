/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/skip_list.h"

#include "base/hash.h"
#include "collect/implement/nodes.h"

#include <stdatomic.h>

enum { LANES = 4 };
#define GONE INT64_MIN /* instead of a value; not one that clients use */
#define MARK ((uintptr_t)1)

struct node {
    int64_t key;
    unsigned lanes;
    _Atomic int64_t value;
    _Atomic uintptr_t next[LANES]; /* a node, or 0; with a mark if this node is being removed */
};

struct skip_list {
    struct nodes nodes; /* first */
    struct node head;   /* before all keys */
    uint64_t seed;
    bool marks;
    void (*point)(void);
};

/* The place of a key in each lane: the last node below it, and the node behind that one. */
struct place {
    struct node *before[LANES], *after[LANES];
};

static struct node *node_of(uintptr_t next)
{
    return (struct node *)(next & ~MARK);
}

static void point(const struct skip_list *l)
{
    if (l->point)
        l->point();
}

struct skip_list *skip_list_create(const assay_adapter_setting *setting, bool marks, void (*its_point)(void))
{
    struct skip_list *l = nodes_object(sizeof *l, sizeof(struct node), setting);
    if (!l)
        return NULL;
    for (unsigned i = 0; i < LANES; i++)
        atomic_init(&l->head.next[i], 0);
    l->seed = setting->seed;
    l->marks = marks;
    l->point = its_point;
    return l;
}

void skip_list_destroy(void *list)
{
    nodes_destroy(list);
}

/* Every second node is in the lane above, too. */
static unsigned lanes_of(const struct skip_list *l, unsigned thread, int64_t key)
{
    uint64_t random = hash_join(hash_join(l->seed, thread), (uint64_t)key);
    unsigned lanes = 1;
    for (; lanes < LANES && random & 1; random >>= 1)
        lanes++;
    return lanes;
}

static struct node *node_new(struct skip_list *l, unsigned thread, int64_t key, int64_t value)
{
    struct node *n = nodes_take(&l->nodes, thread);
    n->key = key;
    n->lanes = lanes_of(l, thread, key);
    atomic_init(&n->value, value);
    return n;
}

/* Is this node to be unlinked from the lane? */
static bool leaves(const struct skip_list *l, struct node *n, uintptr_t next, unsigned lane)
{
    return next & MARK || (lane == 0 && !l->marks && atomic_load(&n->value) == GONE);
}

/* The place of the key in one lane, from a node before it. Unlinks nodes on its way; false: one of them could not be
 * unlinked, since the node before it has changed. */
static bool find_in_lane(struct skip_list *l, int64_t key, unsigned lane, struct node *before, struct place *at)
{
    struct node *n = node_of(atomic_load(&before->next[lane]));
    while (n) {
        uintptr_t next = atomic_load(&n->next[lane]), expected = (uintptr_t)n;
        if (leaves(l, n, next, lane)) {
            point(l);
            if (!atomic_compare_exchange_strong(&before->next[lane], &expected, next & ~MARK))
                return false;
        } else if (n->key < key) {
            before = n;
        } else {
            break;
        }
        n = node_of(next);
    }
    at->before[lane] = before;
    at->after[lane] = n;
    return true;
}

/* The node of the key, or NULL. */
static struct node *find(struct skip_list *l, int64_t key, struct place *at)
{
    for (unsigned lane = LANES; lane > 0;) {
        struct node *from = lane == LANES ? &l->head : at->before[lane];
        lane--;
        if (!find_in_lane(l, key, lane, from, at))
            lane = LANES;
    }
    return at->after[0] && at->after[0]->key == key ? at->after[0] : NULL;
}

/* The lanes of a node whose value is gone. Any thread may do this; the next search unlinks it. */
static void mark(struct skip_list *l, struct node *n)
{
    for (unsigned lane = n->lanes; lane > (l->marks ? 0 : 1); lane--) {
        point(l);
        atomic_fetch_or(&n->next[lane - 1], MARK);
    }
}

/* Above the bottom a node only makes searches faster, so a node that is being removed need not be linked. */
static void link_above(struct skip_list *l, struct node *n, struct place *at)
{
    for (unsigned lane = 1; lane < n->lanes;) {
        uintptr_t next = atomic_load(&n->next[lane]), after = (uintptr_t)at->after[lane];
        if (next & MARK || !atomic_compare_exchange_strong(&n->next[lane], &next, after))
            return;
        point(l);
        if (atomic_compare_exchange_strong(&at->before[lane]->next[lane], &after, (uintptr_t)n))
            lane++;
        else if (find(l, n->key, at) != n)
            return;
    }
}

static bool link_node(struct skip_list *l, struct node *n, struct place *at)
{
    for (unsigned lane = 0; lane < n->lanes; lane++)
        atomic_store(&n->next[lane], (uintptr_t)at->after[lane]);
    point(l);
    uintptr_t after = (uintptr_t)at->after[0];
    if (!atomic_compare_exchange_strong(&at->before[0]->next[0], &after, (uintptr_t)n))
        return false;
    link_above(l, n, at);
    return true;
}

/* Changes the value of a node that has one, to GONE for instance. False: it has none. */
static bool change_value(struct skip_list *l, struct node *n, int64_t value, int64_t *old)
{
    *old = atomic_load(&n->value);
    do {
        if (*old == GONE)
            return false;
        point(l);
    } while (!atomic_compare_exchange_strong(&n->value, old, value));
    return true;
}

static bool value_of(struct node *n, int64_t *value)
{
    *value = atomic_load(&n->value);
    return *value != GONE;
}

static bool put(struct skip_list *l, unsigned thread, int64_t key, int64_t value, bool replaces, int64_t *old)
{
    struct node *fresh = NULL, *n;
    struct place at;
    for (;;) {
        while ((n = find(l, key, &at))) {
            if (replaces ? change_value(l, n, value, old) : value_of(n, old))
                return true;
            mark(l, n);
        }
        if (!fresh)
            fresh = node_new(l, thread, key, value);
        if (link_node(l, fresh, &at))
            return false;
    }
}

bool skip_list_put(struct skip_list *l, unsigned thread, int64_t key, int64_t value, int64_t *old)
{
    return put(l, thread, key, value, true, old);
}

bool skip_list_put_if_absent(struct skip_list *l, unsigned thread, int64_t key, int64_t value, int64_t *old)
{
    return put(l, thread, key, value, false, old);
}

bool skip_list_remove(struct skip_list *l, int64_t key, int64_t *old)
{
    struct place at;
    struct node *n = find(l, key, &at);
    if (!n || !change_value(l, n, GONE, old))
        return false;
    mark(l, n);
    find(l, key, &at);
    return true;
}

bool skip_list_get(struct skip_list *l, int64_t key, int64_t *old)
{
    struct node *before = &l->head, *n = NULL;
    for (unsigned lane = LANES; lane-- > 0;) {
        n = node_of(atomic_load(&before->next[lane]));
        while (n) {
            point(l);
            uintptr_t next = atomic_load(&n->next[lane]);
            if (!(next & MARK) && n->key >= key)
                break;
            if (!(next & MARK))
                before = n;
            n = node_of(next);
        }
    }
    return n && n->key == key && value_of(n, old);
}

/* ---- walks ---- */

static struct node *after(const struct skip_list *l, struct node *n)
{
    point(l);
    return node_of(atomic_load(&n->next[0]));
}

int64_t skip_list_size(struct skip_list *l)
{
    int64_t size = 0, value;
    for (struct node *n = &l->head; (n = after(l, n));)
        size += value_of(n, &value);
    return size;
}

bool skip_list_contains_value(struct skip_list *l, int64_t value)
{
    for (struct node *n = &l->head; (n = after(l, n));)
        if (atomic_load(&n->value) == value)
            return true;
    return false;
}
