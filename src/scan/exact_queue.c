/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-queue`: the scan of scan_queue.h over live events. lifetimes.h reports the call of a
 * value's add, the coming in of the value, and the call and return of its observations that are s and f. Memory: one
 * lifetime for each value that is in the queue or that an open operation is about. */
#include "online/fault.h"
#include "scan/lifetimes.h"
#include "scan/scan_queue.h"
#include "spec/roles.h"

struct live_queue {
    struct lifetimes lifetimes; /* the first field */
    struct queue_scan scan;
};

static void hold(void *lifetimes, uint32_t lifetime)
{
    lifetime_hold(lifetimes, lifetime);
}

static void drop(void *lifetimes, uint32_t lifetime)
{
    lifetime_drop(lifetimes, lifetime);
}

static bool pass(void *state, const struct lifetimes_event *e)
{
    struct live_queue *q = state;
    if (!(lifetime_at(&q->lifetimes, e->lifetime)->flags & LIFETIME_SHOWN))
        queue_begin(&q->scan, e->lifetime);
    if (e->kind == LIFETIMES_ADD_CALL)
        queue_add_call(&q->scan, e->lifetime);
    else if (e->kind == LIFETIMES_COMES_IN)
        queue_comes_in(&q->scan, e->lifetime);
    if (e->last)
        queue_may_leave(&q->scan, e->lifetime);
    return !e->first || queue_must_have_left(&q->scan, e->lifetime);
}

static void give_up(void *state, uint32_t lifetime)
{
    struct live_queue *q = state;
    queue_give_up(&q->scan, lifetime);
}

/* ---- reports ---- */

/* The value of a was added before the value of b. */
static void say_added(const struct lifetime *a, const struct lifetime *b, struct online_fault *out, struct mem *m)
{
    unsigned first = lifetime_add_op(a, out, m), second = lifetime_add_op(b, out, m);
    text_printf(&out->why, "{%u} returned before {%u} was called, so its value must leave first\n", first, second);
}

/* The value of a was at the front before the value of b was at the front for the last time. */
static void say_seen(const struct lifetime *a, const struct lifetime *b, struct online_fault *out, struct mem *m)
{
    unsigned seen = lifetime_first_op(a, out, m), add = lifetime_add_op(b, out, m);
    if (b->last.called > a->first.returned)
        text_printf(&out->why, "but {%u} had returned before {%u} was called, which returned the value of {%u}\n", seen,
                    lifetime_last_op(b, out, m), add);
    else
        text_printf(&out->why, "but {%u} returned when nothing had been called that removed the value of {%u}\n", seen,
                    add);
}

/* scan_queue.h names the cases. */
static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct live_queue *q = state;
    const struct queue_scan *scan = &q->scan;
    const struct lifetime *v = lifetime_at(&q->lifetimes, scan->late);
    const struct lifetime *u = scan->owner == ID_NONE ? v : lifetime_at(&q->lifetimes, scan->owner);
    const struct lifetime *w = scan->stop == ID_NONE ? v : lifetime_at(&q->lifetimes, scan->stop);
    uint64_t s = v->last.called > v->add.called ? v->last.called : v->add.called;
    out->step = v->first.returned;
    out->pattern = "OrderReversed";
    if (u != v && (!(v->flags & LIFETIME_REMOVING) || s > u->first.returned)) {
        say_seen(u, v, out, m);
        say_seen(v, u, out, m);
        text_printf(&out->why, "so each of the two values was at the front before the other\n");
        return;
    }
    say_added(w, v, out, m);
    if (!(w->flags & LIFETIME_PAST)) {
        say_seen(v, w, out, m);
        text_printf(&out->why, "so the value of {%u} was at the front while that of {%u} was before it\n",
                    lifetime_add_op(v, out, m), lifetime_add_op(w, out, m));
        return;
    }
    say_seen(u, w, out, m);
    say_seen(v, u, out, m);
    text_printf(&out->why, "so each of the three values must leave before another of them\n");
}

static const struct lifetimes_scan lifetimes_scan = {pass, give_up, explain};

static void *open(const struct online_setup *s)
{
    struct live_queue *q = mem_new_zero(s->mem, struct live_queue, 1);
    queue_open(&q->scan, s->mem);
    q->scan.hold = hold;
    q->scan.drop = drop;
    q->scan.driver = &q->lifetimes;
    lifetimes_open(&q->lifetimes, &lifetimes_scan, s);
    return q;
}

static void close(void *state)
{
    struct live_queue *q = state;
    struct mem *m = q->lifetimes.mem;
    lifetimes_close(&q->lifetimes);
    queue_close(&q->scan);
    mem_free(m, q);
}

static void image(void *state, struct image *x)
{
    struct live_queue *q = state;
    struct mem *m = q->lifetimes.mem;
    lifetimes_image(&q->lifetimes, x);
    image_vec(x, m, &q->scan.state);
    image_ring(x, m, &q->scan.adds);
    image_plain(x, &q->scan.owner);
    image_vec(x, m, &q->scan.later);
}

static const struct scan scan = {
    .object = "queue",
    .open = open,
    .close = close,
    .each_value = lifetimes_each_value,
    .live = lifetimes_count,
    .each_held = lifetimes_each_held,
    .image = image,
    LIFETIMES_SCAN,
};

HOLDBACK_MEMBER(exact_queue, "exact-queue", "queues whose values are distinct: two scans of time", scan);
