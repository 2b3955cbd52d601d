/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-queue`: object/fast_queue.c, forward in time, with the memory of what is in the queue.
 *
 * Idea. fast_queue.c has two scans and the proof. The first goes through the fronts of values (terms as in lifetimes.h):
 * a value may leave from s on, and must have left at f, the first return of its fronts. The second goes through the
 * adds' calls and the comings in, and stops at the coming in of a value that has not left; a value waits for it to
 * pass its add's call. Here the first scan is the order in which events leave the line of lifetimes.h. The second reads
 * what the first has passed: it matters only for values that may leave, whose add was called before. If f comes and s
 * lies ahead, a zone begins: the value is at the front all the time until s. Its owner leaves at once, all others
 * that must leave in it must have left before, those that may leave do so at its end, and the second scan pauses.
 * Where s lies is not known at f, and need not be.
 *
 * Forgetting. Neither scan goes back. What has left and has been passed by both is never looked at again: what is
 * reported later speaks of a value that has not left, of one where the second scan stops, and of the owner of a zone.
 * A value that was given up (lifetimes.h) is one that left: then nobody waits for it, and no zone is its own. */
#include "object/lifetimes.h"
#include "online/fault.h"
#include "spec/roles.h"

enum {
    ADD_CALLED = LIFETIME_OWN,    /* passed by the second scan */
    MAY_LEAVE = 2 * LIFETIME_OWN, /* and is not in a zone */
    LEFT = 4 * LIFETIME_OWN
};

enum { COMES_IN = 1 }; /* entries of the second scan are twice a lifetime, and one more for its coming in */

enum wrong { BY_LIVES, BY_ORDER };

struct queue {
    struct lifetimes lifetimes; /* first */
    RING(uint32_t) adds;        /* what the second scan has ahead */
    uint32_t owner;             /* of the zone, or ID_NONE */
    VEC(uint32_t) later;        /* may leave when the zone ends */
    enum wrong wrong;
    uint32_t late, stop; /* must have left and has not; where the second scan stopped, or ID_NONE */
};

static void leave(struct queue *q, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(&q->lifetimes, lifetime);
    if ((v->flags & (ADD_CALLED | MAY_LEAVE)) == (ADD_CALLED | MAY_LEAVE))
        v->flags |= LEFT;
}

/* Takes the second scan as far as it gets. */
static void scan_adds(struct queue *q)
{
    while (q->adds.n && q->owner == ID_NONE) {
        uint32_t entry = ring_front(&q->adds), lifetime = entry / 2;
        struct lifetime *v = lifetime_at(&q->lifetimes, lifetime);
        if (entry & COMES_IN && !(v->flags & (LEFT | LIFETIME_GIVEN_UP)))
            return;
        v->flags |= ADD_CALLED;
        leave(q, lifetime);
        ring_drop(&q->adds);
        lifetime_drop(&q->lifetimes, lifetime);
    }
}

static void add_event(struct queue *q, uint32_t entry)
{
    lifetime_hold(&q->lifetimes, entry / 2);
    ring_push(q->lifetimes.mem, &q->adds, entry);
    scan_adds(q);
}

static void end_zone(struct queue *q)
{
    lifetime_drop(&q->lifetimes, q->owner);
    q->owner = ID_NONE;
    scan_adds(q);
    for (uint32_t i = 0; i < q->later.n; i++) {
        uint32_t lifetime = q->later.at[i];
        lifetime_at(&q->lifetimes, lifetime)->flags |= MAY_LEAVE;
        leave(q, lifetime);
        lifetime_drop(&q->lifetimes, lifetime);
        scan_adds(q);
    }
    vec_clear(&q->later);
}

static void may_leave(struct queue *q, uint32_t lifetime)
{
    if (lifetime == q->owner) {
        end_zone(q);
    } else if (q->owner != ID_NONE) {
        vec_push(q->lifetimes.mem, &q->later, lifetime_hold(&q->lifetimes, lifetime));
    } else {
        lifetime_at(&q->lifetimes, lifetime)->flags |= MAY_LEAVE;
        leave(q, lifetime);
        scan_adds(q);
    }
}

static bool must_have_left(struct queue *q, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(&q->lifetimes, lifetime);
    if (v->flags & LEFT)
        return true;
    if (q->owner == ID_NONE && !(v->flags & LIFETIME_PAST) && v->flags & ADD_CALLED) {
        v->flags |= LEFT;
        q->owner = lifetime_hold(&q->lifetimes, lifetime);
        return true;
    }
    q->wrong = BY_ORDER;
    q->late = lifetime;
    q->stop = q->adds.n ? ring_front(&q->adds) / 2 : ID_NONE;
    return false;
}

/* Passes what leaves the line. */
static bool go_on(struct queue *q)
{
    struct lifetimes_event e;
    while (lifetimes_next(&q->lifetimes, &e)) {
        if (e.kind == LIFETIMES_FAULT)
            return false;
        if (e.kind == LIFETIMES_ADD_CALL)
            add_event(q, 2 * e.lifetime);
        else if (e.kind == LIFETIMES_COMES_IN)
            add_event(q, 2 * e.lifetime + COMES_IN);
        else if (e.kind == LIFETIMES_OBSERVATION_RETURN && e.first && !must_have_left(q, e.lifetime))
            return false;
        if (e.last)
            may_leave(q, e.lifetime);
    }
    return true;
}

static bool call(void *state, struct scan_op *o)
{
    struct queue *q = state;
    uint32_t given_up = lifetimes_call(&q->lifetimes, o);
    if (given_up != ID_NONE) {
        lifetime_at(&q->lifetimes, given_up)->flags |= LEFT;
        if (given_up == q->owner)
            end_zone(q);
        scan_adds(q);
    }
    return go_on(q);
}

static bool ret(void *state, struct scan_op *o)
{
    struct queue *q = state;
    return lifetimes_ret(&q->lifetimes, o) && go_on(q);
}

static void *open(const struct online_setup *s)
{
    struct queue *q = mem_new_zero(s->mem, struct queue, 1);
    lifetimes_open(&q->lifetimes, s);
    q->owner = ID_NONE;
    return q;
}

static void close(void *state)
{
    struct queue *q = state;
    struct mem *m = q->lifetimes.mem;
    lifetimes_close(&q->lifetimes);
    ring_free(m, &q->adds);
    vec_free(m, &q->later);
    mem_free(m, q);
}

/* ---- reports ---- */

/* The value of a was added first. */
static void say_added(const struct lifetime *a, const struct lifetime *b, struct online_fault *out, struct mem *m)
{
    unsigned first = lifetime_add_op(a, out, m), second = lifetime_add_op(b, out, m);
    text_printf(&out->why, "{%u} returned before {%u} was called, so its value must leave first\n", first, second);
}

/* The value of a was seen at the front before that of b was for the last time. */
static void say_seen(const struct lifetime *a, const struct lifetime *b, struct online_fault *out, struct mem *m)
{
    unsigned front = lifetime_first_op(a, out, m), add = lifetime_add_op(b, out, m);
    if (b->last.called > a->first.returned)
        text_printf(&out->why, "but {%u} had returned before {%u} was called, which returned the value of {%u}\n",
                    front, lifetime_last_op(b, out, m), add);
    else
        text_printf(&out->why, "but {%u} returned when nothing had been called that removed the value of {%u}\n", front,
                    add);
}

/* fast_queue.c names the cases. */
static void explain_order(struct queue *q, struct online_fault *out, struct mem *m)
{
    const struct lifetime *v = lifetime_at(&q->lifetimes, q->late);
    const struct lifetime *u = q->owner == ID_NONE ? v : lifetime_at(&q->lifetimes, q->owner);
    const struct lifetime *w = q->stop == ID_NONE ? v : lifetime_at(&q->lifetimes, q->stop);
    uint64_t s = v->last.called > v->add.called ? v->last.called : v->add.called;
    out->step = v->first.returned;
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

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct queue *q = state;
    if (q->wrong == BY_ORDER)
        explain_order(q, out, m);
    else
        lifetimes_explain(&q->lifetimes, out, m);
}

static const struct scan scan = {
    .object = "queue",
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .explain = explain,
    .each_value = lifetimes_each_value,
    .live = lifetimes_count,
    .each_held = lifetimes_each_held,
    LIFETIMES_SCAN,
};

HOLDBACK_MEMBER(exact_queue, "exact-queue", "queues whose values are distinct: two scans of time", scan);
