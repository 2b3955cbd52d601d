/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/linked_deque.h"

#include "collect/implement/nodes.h"

#include <stdatomic.h>

#define GONE INT64_MIN /* instead of a value; not one that clients use */

struct node {
    _Atomic int64_t value;
    struct node *_Atomic beside[DEQUE_SIDES];
};

struct deque {
    struct nodes nodes;                     /* first */
    struct node first;                      /* never had a value */
    struct node *_Atomic near[DEQUE_SIDES]; /* near the ends, if not there */
    bool rechecks;
    void (*point)(void);
};

void *linked_deque_create(const assay_adapter_setting *setting, bool rechecks, void (*point)(void))
{
    struct deque *d = nodes_object(sizeof *d, sizeof(struct node), setting);
    if (!d)
        return NULL;
    atomic_init(&d->first.value, GONE);
    for (unsigned side = 0; side < DEQUE_SIDES; side++) {
        atomic_init(&d->first.beside[side], NULL);
        atomic_init(&d->near[side], &d->first);
    }
    d->rechecks = rechecks;
    d->point = point;
    return d;
}

static void mark(const struct deque *d)
{
    if (d->point)
        d->point();
}

static struct node *end(struct deque *d, enum deque_side side)
{
    struct node *n = atomic_load(&d->near[side]), *beyond;
    while ((beyond = atomic_load(&n->beside[side])))
        n = beyond;
    return n;
}

static void push(struct deque *d, unsigned thread, enum deque_side side, int64_t value)
{
    struct node *n = nodes_take(&d->nodes, thread), *last, *nothing;
    atomic_init(&n->value, value);
    atomic_init(&n->beside[side], NULL);
    do {
        last = end(d, side);
        nothing = NULL;
        atomic_store(&n->beside[!side], last);
        mark(d);
    } while (!atomic_compare_exchange_strong(&last->beside[side], &nothing, n));
    atomic_store(&d->near[side], n);
}

/* The first node with a value, from the end of the side on; NULL: there is none. */
static struct node *first_of(struct deque *d, enum deque_side side, struct node *last, int64_t *value)
{
    for (struct node *n = last; n; n = atomic_load(&n->beside[!side])) {
        *value = atomic_load(&n->value);
        mark(d);
        if (*value != GONE)
            return n;
    }
    return NULL;
}

static assay_answer take_first(struct deque *d, enum deque_side side, bool removes)
{
    for (;;) {
        int64_t value;
        struct node *last = end(d, side), *n = first_of(d, side, last, &value);
        if (d->rechecks && atomic_load(&last->beside[side]))
            continue;
        mark(d);
        if (!n)
            return assay_answer_word("empty");
        if (!removes || atomic_compare_exchange_strong(&n->value, &value, GONE))
            return assay_answer_int(value);
    }
}

assay_answer linked_deque_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    bool pops = method == DEQUE_POP_FRONT || method == DEQUE_POP_BACK;
    if (method != DEQUE_PUSH_FRONT && method != DEQUE_PUSH_BACK)
        return take_first(object, deque_side(method), pops);
    push(object, thread, deque_side(method), args[0]);
    return assay_answer_none();
}
