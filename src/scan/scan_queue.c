/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/scan_queue.h"

#include "base/hash.h"

enum { COMES_IN = 1 };

void queue_open(struct queue_scan *q, struct mem *m)
{
    *q = (struct queue_scan){.mem = m, .owner = ID_NONE, .late = ID_NONE, .stop = ID_NONE};
}

void queue_close(struct queue_scan *q)
{
    vec_free(q->mem, &q->state);
    ring_free(q->mem, &q->adds);
    vec_free(q->mem, &q->later);
}

void queue_begin(struct queue_scan *q, uint32_t v)
{
    while (q->state.n <= v)
        vec_push(q->mem, &q->state, 0);
    q->state.at[v] = 0;
}

static uint32_t hold(struct queue_scan *q, uint32_t v)
{
    if (q->hold)
        q->hold(q->driver, v);
    return v;
}

static void drop(struct queue_scan *q, uint32_t v)
{
    if (q->drop)
        q->drop(q->driver, v);
}

static void leave(struct queue_scan *q, uint32_t v)
{
    if (q->state.at[v] != (QUEUE_ADD_PASSED | QUEUE_MAY_LEAVE))
        return;
    q->state.at[v] |= QUEUE_LEFT;
    if (q->leaves)
        q->leaves(q->driver, v);
}

/* Moves the second scan as far as possible. */
static void scan_adds(struct queue_scan *q)
{
    while (q->adds.n && q->owner == ID_NONE) {
        uint32_t entry = ring_front(&q->adds), v = entry / 2;
        if (entry & COMES_IN && !(q->state.at[v] & QUEUE_LEFT))
            return;
        q->state.at[v] |= QUEUE_ADD_PASSED;
        leave(q, v);
        ring_drop(&q->adds);
        drop(q, v);
    }
}

static void add_event(struct queue_scan *q, uint32_t entry)
{
    hold(q, entry / 2);
    ring_push(q->mem, &q->adds, entry);
    scan_adds(q);
}

void queue_add_call(struct queue_scan *q, uint32_t v)
{
    add_event(q, 2 * v);
}

void queue_comes_in(struct queue_scan *q, uint32_t v)
{
    add_event(q, 2 * v + COMES_IN);
}

static void may_leave(struct queue_scan *q, uint32_t v)
{
    q->state.at[v] |= QUEUE_MAY_LEAVE;
    leave(q, v);
    scan_adds(q);
}

static void end_zone(struct queue_scan *q)
{
    drop(q, q->owner);
    q->owner = ID_NONE;
    scan_adds(q);
    for (uint32_t i = 0; i < q->later.n; i++) {
        may_leave(q, q->later.at[i]);
        drop(q, q->later.at[i]);
    }
    vec_clear(&q->later);
}

void queue_may_leave(struct queue_scan *q, uint32_t v)
{
    if (v == q->owner)
        end_zone(q);
    else if (q->owner != ID_NONE)
        vec_push(q->mem, &q->later, hold(q, v));
    else
        may_leave(q, v);
}

bool queue_must_have_left(struct queue_scan *q, uint32_t v)
{
    if (q->state.at[v] & QUEUE_LEFT)
        return true;
    if (q->owner == ID_NONE && q->state.at[v] == QUEUE_ADD_PASSED) {
        q->state.at[v] |= QUEUE_MAY_LEAVE;
        leave(q, v);
        q->owner = hold(q, v);
        return true;
    }
    q->late = v;
    q->stop = q->adds.n ? ring_front(&q->adds) / 2 : ID_NONE;
    return false;
}

void queue_give_up(struct queue_scan *q, uint32_t v)
{
    q->state.at[v] |= QUEUE_LEFT;
    if (v == q->owner)
        end_zone(q);
    scan_adds(q);
}
