/* SPDX-License-Identifier: Apache-2.0 */
/* The lock-free deque of Michael, CAS-Based Lock-Free Algorithm for Shared Deques (Euro-Par 2003).
 *
 * The numbers of both end nodes and a status are one word, the anchor. Every call takes effect by a compare-and-swap of
 * the anchor, or by reading it. A push puts its node into the anchor first. The status tells which side has been pushed
 * to, until the node before has its link to the new end. Any call that needs the link sets it, and the status back.
 *
 * Nodes come from a pool, and none is used twice. So a node that has left the list never comes back. An anchor with the
 * same ends has the same links next to them. */
#include "collect/implement/shared.h"

#include <stdatomic.h>
#include <stdlib.h>

enum status { STABLE, PUSHED_FRONT, PUSHED_BACK };
enum { NUMBER_BITS = 31 };

struct node {
    int64_t value;
    _Atomic uint32_t beside[DEQUE_SIDES]; /* 0: none so far */
};

struct deque {
    _Atomic uint64_t anchor;
    _Atomic uint32_t used;
    struct node *nodes; /* from 1 on */
};

struct ends {
    uint32_t at[DEQUE_SIDES]; /* 0: the deque is empty */
    enum status status;
};

static uint64_t pack(struct ends e)
{
    return (uint64_t)e.status << (2 * NUMBER_BITS) | (uint64_t)e.at[DEQUE_BACK] << NUMBER_BITS | e.at[DEQUE_FRONT];
}

static struct ends unpack(uint64_t anchor)
{
    uint64_t mask = ((uint64_t)1 << NUMBER_BITS) - 1;
    return (struct ends){{[DEQUE_FRONT] = anchor & mask, [DEQUE_BACK] = anchor >> NUMBER_BITS & mask},
                         (enum status)(anchor >> (2 * NUMBER_BITS))};
}

static void *create(const assay_adapter_setting *setting)
{
    struct deque *d = calloc(1, sizeof *d);
    if (!d || !(d->nodes = calloc((size_t)setting->calls + 1, sizeof *d->nodes))) {
        free(d);
        return NULL;
    }
    return d;
}

static void destroy(void *object)
{
    struct deque *d = object;
    free(d->nodes);
    free(d);
}

static bool replace(struct deque *d, uint64_t anchor, struct ends e)
{
    ASSAY_POINT();
    return atomic_compare_exchange_strong(&d->anchor, &anchor, pack(e));
}

/* Links the node before a new end to it, unless another call has. */
static void stabilize(struct deque *d, uint64_t anchor)
{
    struct ends e = unpack(anchor);
    enum deque_side side = e.status == PUSHED_FRONT ? DEQUE_FRONT : DEQUE_BACK;
    uint32_t before = atomic_load(&d->nodes[e.at[side]].beside[!side]);
    uint32_t link = atomic_load(&d->nodes[before].beside[side]);
    ASSAY_POINT();
    if (atomic_load(&d->anchor) != anchor)
        return;
    if (link != e.at[side] && !atomic_compare_exchange_strong(&d->nodes[before].beside[side], &link, e.at[side]))
        return;
    e.status = STABLE;
    replace(d, anchor, e);
}

static void push(struct deque *d, enum deque_side side, int64_t value)
{
    uint32_t node = 1 + atomic_fetch_add(&d->used, 1);
    d->nodes[node].value = value;
    for (;;) {
        uint64_t anchor = atomic_load(&d->anchor);
        struct ends e = unpack(anchor), next = {{node, node}, STABLE};
        if (e.status != STABLE) {
            stabilize(d, anchor);
            continue;
        }
        if (e.at[side]) {
            atomic_store(&d->nodes[node].beside[!side], e.at[side]);
            next.at[!side] = e.at[!side];
            next.status = side == DEQUE_FRONT ? PUSHED_FRONT : PUSHED_BACK;
        }
        if (replace(d, anchor, next)) {
            if (next.status != STABLE)
                stabilize(d, pack(next));
            return;
        }
    }
}

static assay_answer value_of(const struct deque *d, uint32_t node)
{
    return node ? assay_answer_int(d->nodes[node].value) : assay_answer_word("empty");
}

static assay_answer pop(struct deque *d, enum deque_side side)
{
    for (;;) {
        uint64_t anchor = atomic_load(&d->anchor);
        struct ends e = unpack(anchor), next = e;
        if (!e.at[side])
            return value_of(d, 0);
        if (e.status != STABLE) {
            stabilize(d, anchor);
            continue;
        }
        if (e.at[side] == e.at[!side])
            next = (struct ends){{0, 0}, STABLE};
        else
            next.at[side] = atomic_load(&d->nodes[e.at[side]].beside[!side]);
        if (replace(d, anchor, next))
            return value_of(d, e.at[side]);
    }
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct deque *d = object;
    enum deque_side side = deque_side(method);
    (void)thread;
    switch (method) {
    case DEQUE_PUSH_FRONT:
    case DEQUE_PUSH_BACK: push(d, side, args[0]); return assay_answer_none();
    case DEQUE_POP_FRONT:
    case DEQUE_POP_BACK: return pop(d, side);
    default: return value_of(d, unpack(atomic_load(&d->anchor)).at[side]);
    }
}

const assay_adapter adapter_anchor_deque = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "deque:michael",
    .object = "deque",
    .title = "Michael's lock-free deque, both ends in one word",
    .methods = deque_methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
