/* SPDX-License-Identifier: Apache-2.0 */
/* Queues whose values are distinct, in linear time: the engine `fast-queue` and the online checker `exact-queue`. One
 * scan finds the order in which values leave. Two drivers name its events. The recorded one has the positions of
 * search/collection_calls.h, and keeps the moments at which values leave for the witness. The live one has lifetimes.h,
 * and memory for the values that are in the queue or that an open operation is about.
 *
 * Terms. The observations of a value are its remove and its peeks: at each of them the value is the first of the queue.
 * Let s be the last call among its add and its observations, and f the first return among its observations. The value
 * comes in at the return of its add, or at f if that is earlier. In a linearization the values enter and leave in one
 * and the same order. In this order u comes before v whenever
 *     u came in before v's add was called,   or   f(u) < s(v).
 * If f < s, the value is the first of the queue all the time from f to s: its zone. No other value v is at the front in
 * this zone. So v left before the zone if f(v) lies in it. And v comes to the front after the zone if s(v) lies in it.
 *
 * Algorithm. The first scan goes through the observations. A value may leave from s on, and must have left at f. The
 * second scan goes through the calls of the adds and the comings in, up to the first scan's position. It stops at the
 * coming in of a value that has not left. A value leaves as soon as it may leave and the second scan has passed the
 * call of its add. At f, a zone begins if s lies ahead and the second scan has passed the call of the value's add. The
 * owner of the zone leaves at once. Until the zone ends at s, the second scan pauses, and every other value that may
 * leave waits. The position of s need not be known at f.
 *
 * A refusal is a violation. Let v be the value that must have left at f(v) and has not. Let w be the value where the
 * second scan stops. The second scan has passed the call of w's add, so w may not leave yet: s(w) lies ahead, or inside
 * the present zone.
 * - There is no zone at f(v). Since v does not begin a zone, s(v) has passed, or the second scan has not passed v's
 *   add. If it had passed v's add, v would have left. So v waits for adds, and w came in before v's add was called. But
 *   f(v) < s(w). Two values contradict each other.
 * - f(v) lies in u's zone. If s(v) > f(u), v and u must each leave before the other. Otherwise v waits for adds as
 *   above, and w came in before v's add was called. If s(w) > f(v), v and w contradict each other. Otherwise s(w) is in
 *   the zone, too. Then u is before w, w before v, and v before u. Three values contradict each other.
 * Without peeks there are no zones, so two values suffice.
 *
 * A history that passes is linearizable. Let x1, x2, ... be the values in the order in which they left. Let T(x) be the
 * moment when x left: right after the first scan's position, but for a zone's owner right before its f. Then T(x) is
 * after s and before f, except for owners. Put the remove and all peeks of x at T(x). Observations of an owner that
 * were called later come right after their call, the remove last. Put the add of x right after the greatest add call of
 * x1 .. x. This moment is not after T(x), because each value left after its add's call. It is before x comes in. The
 * reason is that the values before x left when the second scan had passed their adds' calls, but not x's coming in.
 *
 * An operation that found the queue empty has a gap g outside of all critical intervals (collection_calls.h). A value
 * whose s is after g comes in after g, and its f is after g. Every other value has its add's call before g, and has
 * left when the scan is at g. If the second scan stopped at one of these other values, that value could leave. If it
 * stopped at a value whose s is after g, that value's coming in is after g. Hence it suffices to put the adds of values
 * that left after g at the end of gap g, if they would come before.
 *
 * Forgetting. Neither scan goes back. A value that has left, and that both scans have passed, is never needed again. A
 * refusal speaks of a value that has not left, of the value where the second scan stops, and of a zone's owner. A value
 * that is given up (lifetimes.h) counts as a value that left: no other value waits for it.
 *
 * Sources: Henzinger, Sezgin and Vafeiadis, CONCUR 2013, for the patterns without peeks; two scans as in the later
 * near-linear monitors for queues. The proof and the treatment of peeks are given here. */
#include "base/ring.h"
#include "scan/fault.h"
#include "scan/lifetimes.h"
#include "search/collection_calls.h"
#include "spec/roles.h"

struct queue_scan {
    struct mem *mem;
    /* Hooks of the driver; each may be NULL. */
    void (*leaves)(void *driver, uint32_t v);
    void (*hold)(void *driver, uint32_t v); /* v's number must not be used for another value ... */
    void (*drop)(void *driver, uint32_t v); /* ... until it is dropped as often */
    void *driver;

    VEC(uint8_t) state;  /* of each value: enum queue_state */
    RING(uint32_t) adds; /* entries ahead of the second scan: twice a value, plus one for its coming in */
    uint32_t owner;      /* the owner of the zone, or ID_NONE */
    VEC(uint32_t) later; /* values that may leave when the zone ends */
    uint32_t late, stop; /* of a refusal: v and w; stop is ID_NONE if the second scan did not stop */
};

enum queue_state { QUEUE_ADD_PASSED = 1, QUEUE_MAY_LEAVE = 2, QUEUE_LEFT = 4 };

enum { COMES_IN = 1 };

static void queue_open(struct queue_scan *q, struct mem *m)
{
    *q = (struct queue_scan){.mem = m, .owner = ID_NONE, .late = ID_NONE, .stop = ID_NONE};
}

static void queue_close(struct queue_scan *q)
{
    vec_free(q->mem, &q->state);
    ring_free(q->mem, &q->adds);
    vec_free(q->mem, &q->later);
}

/* v stands for a new value from now on. */
static void queue_begin(struct queue_scan *q, uint32_t v)
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

/* Events, in the order of time; of one value at one moment: add_call, comes_in, may_leave, must_have_left. */
static void queue_add_call(struct queue_scan *q, uint32_t v)
{
    add_event(q, 2 * v);
}

static void queue_comes_in(struct queue_scan *q, uint32_t v)
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

/* This is s. */
static void queue_may_leave(struct queue_scan *q, uint32_t v)
{
    if (v == q->owner)
        end_zone(q);
    else if (q->owner != ID_NONE)
        vec_push(q->mem, &q->later, hold(q, v));
    else
        may_leave(q, v);
}

/* This is f. False: refused. */
static bool queue_must_have_left(struct queue_scan *q, uint32_t v)
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

static void queue_give_up(struct queue_scan *q, uint32_t v)
{
    q->state.at[v] |= QUEUE_LEFT;
    if (v == q->owner)
        end_zone(q);
    scan_adds(q);
}

/* ---- recorded histories ---- */

/* Entries of the tables by position: twice the value, plus one for a return. */
#define NOTHING ID_NONE

struct recorded_queue {
    struct queue_scan scan;
    struct collection c;
    uint32_t *adds;         /* add_call, add_return */
    uint32_t *observations; /* s, f */
    uint32_t *first_return; /* f of each value */
    uint32_t now;           /* the present moment */
    uint32_t *left, *when;  /* values in the order in which they left, and the moments; NULL: no witness is wanted */
    uint32_t left_n;
};

static void note_leaving(void *driver, uint32_t v)
{
    struct recorded_queue *q = driver;
    q->left[q->left_n] = v;
    q->when[q->left_n++] = q->now;
}

static void prepare(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    q->adds = mem_new_ids(m, (size_t)c->end + 1);
    q->observations = mem_new_ids(m, (size_t)c->end + 1);
    q->first_return = mem_new(m, uint32_t, c->n);
    queue_open(&q->scan, m);
    if (c->job->witness) {
        q->left = mem_new(m, uint32_t, c->n);
        q->when = mem_new(m, uint32_t, c->n);
        q->scan.leaves = note_leaving;
        q->scan.driver = q;
    }
    for (uint32_t v = 0; v < c->n; v++) {
        queue_begin(&q->scan, v);
        q->first_return[v] = c->life[v].remove_return;
    }
    for (uint32_t i = 0; c->peeked && i < c->part->n; i++) {
        uint32_t v = c->value[i];
        if (v != ID_NONE && i != c->life[v].add && c->ret[i] < q->first_return[v])
            q->first_return[v] = c->ret[i];
    }
    for (uint32_t v = 0; v < c->n; v++) {
        const struct life *life = &c->life[v];
        q->adds[life->add_call] = 2 * v;
        q->adds[life->add_return] = 2 * v + 1;
        if (life->remove_call < c->end)
            q->observations[life->remove_call] = 2 * v;
        if (q->first_return[v] < c->end)
            q->observations[q->first_return[v]] = 2 * v + 1;
    }
}

/* Moments are numbered, too: 2 p comes right after position p, 2 p + 1 later in the same gap. */
static uint32_t right_after(uint32_t position)
{
    return 2 * position;
}

static uint32_t right_before(uint32_t position)
{
    return 2 * position - 1;
}

/* The head of this file names the cases. */
static bool refute(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    uint32_t v = q->scan.late, stop = q->scan.stop, owner = q->scan.owner;
    uint32_t f = q->first_return[v], culprit = c->life[v].remove;
    bool in_zone = owner != ID_NONE, with_owner = in_zone && c->life[v].remove_call > q->first_return[owner];
    c->chosen[v] = true;
    if (!with_owner) {
        c->chosen[stop] = true;
        with_owner = in_zone && c->life[stop].remove_call < f;
    }
    if (with_owner)
        c->chosen[owner] = true;
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->ret[i] == f)
            culprit = i;
    collection_refute(c, PATTERN_OrderReversed, culprit);
    return false;
}

static void pass_add(struct recorded_queue *q, uint32_t event)
{
    if (event & 1)
        queue_comes_in(&q->scan, event / 2);
    else
        queue_add_call(&q->scan, event / 2);
}

static bool pass_all(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    for (uint32_t at = 0; at < c->end; at++) {
        uint32_t observation = q->observations[at];
        budget_tick(c->job->budget);
        if (q->adds[at] != NOTHING)
            pass_add(q, q->adds[at]);
        if (observation == NOTHING)
            continue;
        q->now = observation & 1 ? right_before(at) : right_after(at);
        if (!(observation & 1))
            queue_may_leave(&q->scan, observation / 2);
        else if (!queue_must_have_left(&q->scan, observation / 2))
            return refute(q);
    }
    q->now = right_after(c->end);
    for (uint32_t v = 0; v < c->n; v++)
        if (c->life[v].remove_call >= c->end)
            queue_may_leave(&q->scan, v);
    return true;
}

struct timeline { /* operations, by their moments */
    VEC(uint32_t) place, when;
};

static void put(struct mem *m, struct timeline *t, uint32_t place, uint32_t when)
{
    if (place == ID_NONE)
        return;
    vec_push(m, &t->place, place);
    vec_push(m, &t->when, when);
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void put_all(struct recorded_queue *q, struct timeline *adds, struct timeline *observations)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    struct groups peeks = {0};
    if (c->peeked)
        peeks = collection_peeks(c);
    for (uint32_t k = 0, latest = 0, j = 0; k < c->n; k++) {
        uint32_t v = q->left[k], when = q->when[k];
        const struct life *life = &c->life[v];
        budget_tick(c->job->budget);
        for (; j < c->empty_n && right_before(c->gap[j] + 1) <= when; j++)
            latest = later(latest, right_before(c->gap[j] + 1));
        latest = later(latest, right_after(life->add_call));
        put(m, adds, life->add, latest);
        for (uint32_t p = c->peeked ? peeks.at[v] : 0; c->peeked && p < peeks.at[v + 1]; p++)
            put(m, observations, peeks.list[p], later(when, right_after(c->call[peeks.list[p]])));
        put(m, observations, life->remove, later(when, right_after(life->remove_call)));
    }
}

/* Merges the timelines and the operations that found nothing. At one moment these operations come first, then adds,
 * then observations. */
static void witness(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    struct evidence *ev = &c->job->out->evidence;
    struct timeline adds = {0}, observations = {0};
    put_all(q, &adds, &observations);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t a = 0, f = 0, j = 0; a < adds.place.n || f < observations.place.n || j < c->empty_n;) {
        uint32_t add = a < adds.place.n ? adds.when.at[a] : UINT32_MAX;
        uint32_t observation = f < observations.place.n ? observations.when.at[f] : UINT32_MAX;
        uint32_t nothing = j < c->empty_n ? right_before(c->gap[j] + 1) : UINT32_MAX;
        bool is_nothing = nothing <= add && nothing <= observation;
        uint32_t place = is_nothing           ? c->empty[j++]
                         : add <= observation ? adds.place.at[a++]
                                              : observations.place.at[f++];
        evidence_place(ev, collection_op(c, place));
    }
}

static void run_fast_queue(struct job *job)
{
    struct recorded_queue q = {0};
    if (!collection_read(&q.c, job))
        return;
    collection_match_pending(&q.c);
    if (!collection_check_empty(&q.c))
        return;
    prepare(&q);
    if (pass_all(&q) && job->witness)
        witness(&q);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, &spec_queue);
}

const struct engine engine_fast_queue = {
    .name = "fast-queue",
    .title = "queues with distinct values, in linear time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_fast_queue,
};

/* ---- live histories ---- */

struct live_queue {
    struct lifetimes lifetimes; /* the first field */
    struct queue_scan scan;
};

static void hold_lifetime(void *lifetimes, uint32_t lifetime)
{
    lifetime_hold(lifetimes, lifetime);
}

static void drop_lifetime(void *lifetimes, uint32_t lifetime)
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

/* The head of this file names the cases. */
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
    q->scan.hold = hold_lifetime;
    q->scan.drop = drop_lifetime;
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

static const struct scan live_scan = {
    .object = &spec_queue,
    .open = open,
    .close = close,
    .each_value = lifetimes_each_value,
    .live = lifetimes_count,
    .each_held = lifetimes_each_held,
    .image = image,
    LIFETIMES_SCAN,
};

HOLDBACK_MEMBER(exact_queue, "exact-queue", "queues whose values are distinct: two scans of time", live_scan);
