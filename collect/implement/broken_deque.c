/* SPDX-License-Identifier: Apache-2.0 */
/* A deque as a doubly linked list, with the flaw that java.util.concurrent.ConcurrentLinkedDeque had in Java 8.
 *
 * A node is in the deque as long as it has a value; a removal takes the value away in one compare-and-swap. A push
 * links its node to the last node of its side, also in one. Nodes stay linked and live as long as the deque: so the
 * chain of nodes only grows, at its two ends.
 *
 * The flaw: a pop goes from the end of its side to the first node with a value, and takes the value there. Meanwhile
 * another call may have pushed a value before that node. Then the pop takes the second value, or finds the deque empty
 * after a pop at the other end. */
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
};

static void *create(const assay_adapter_setting *setting)
{
    struct deque *d = nodes_object(sizeof *d, sizeof(struct node), setting);
    if (!d)
        return NULL;
    atomic_init(&d->first.value, GONE);
    for (unsigned side = 0; side < DEQUE_SIDES; side++) {
        atomic_init(&d->first.beside[side], NULL);
        atomic_init(&d->near[side], &d->first);
    }
    return d;
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
        ASSAY_POINT();
    } while (!atomic_compare_exchange_strong(&last->beside[side], &nothing, n));
    atomic_store(&d->near[side], n);
}

static assay_answer take_first(struct deque *d, enum deque_side side, bool removes)
{
    for (struct node *n = end(d, side); n; n = atomic_load(&n->beside[!side])) {
        int64_t value = atomic_load(&n->value);
        ASSAY_POINT();
        if (value != GONE && (!removes || atomic_compare_exchange_strong(&n->value, &value, GONE)))
            return assay_answer_int(value);
    }
    return assay_answer_word("empty");
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    bool pops = method == DEQUE_POP_FRONT || method == DEQUE_POP_BACK;
    if (method != DEQUE_PUSH_FRONT && method != DEQUE_PUSH_BACK)
        return take_first(object, deque_side(method), pops);
    push(object, thread, deque_side(method), args[0]);
    return assay_answer_none();
}

const assay_adapter adapter_broken_deque = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "deque:broken",
    .object = "deque",
    .title = "a lock-free linked list, as in Java 8",
    .flaw = "a pop takes the first value it finds, though another is before it by then",
    .methods = deque_methods,
    .create = create,
    .destroy = nodes_destroy,
    .call = call,
    .point = &assay_adapter_point,
};
