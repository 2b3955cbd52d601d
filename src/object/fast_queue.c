/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-queue`: linearizability of a queue whose values are distinct, in linear time.
 *
 * Call a value's remove and peeks its fronts: at each of them it is the first of the queue. Let s be the last call of
 * the value's fronts (remove_call of collection.h, so s >= add_call), and f the first return of its fronts. In a
 * linearization the values enter and leave in one order. In it, u comes before v whenever
 *     u's add returned before v's was called,   or   f(u) < s(v).
 * If f < s, then the value is the first all the time from f to s, its zone. Then no other value can be at the front there:
 * another v must have left before (if f(v) lies in the zone), or comes to the front after (if s(v) does).
 *
 * Algorithm. A scan of time. A value may leave from s on, must have left at f, and leaves as soon as this is so and no
 * add of a value still in the queue returned before its own was called; the latter is what a second scan is for, of the
 * adds' calls and returns, that stops at the return of an add whose value has not left. A zone is passed in one moment:
 * at f those whose f lies in it must have left, then the owner leaves, then it is s, and those whose s lies in it may
 * leave.
 *
 * What is reported is a violation. Let w be the value where the second scan stops. It waits for no add, so it may not
 * leave yet: s(w) lies ahead of the first scan. The value v must leave at f(v), v != w, and has not.
 *     no zone at f(v):     s(v) has been passed, so v waits for the adds: w's returned before v's was called. But
 *                          f(v) < s(w). Two values.
 *     v is a zone's owner: in the same way, with v's add, as v may leave there.
 *     f(v) in u's zone:    if s(v) > f(u), then v and u must each leave before the other. Else v waits for w's add, as
 *                          above. If s(w) > f(v), v and w contradict each other; else s(w) is in the zone too: u is
 *                          before w, w before v, v before u. Three values.
 * Without peeks there are no zones. So this also proves that two values suffice then.
 *
 * What is accepted is linearizable. Let x1, x2, ... be the values in the order in which they left, and T(x) the moment
 * when x did: right after the position where the scan was, for an owner right before its f, for what left with it at the
 * end of the zone right after its s. Then T(x) is after s and before f, but for owners. Put the remove and all peeks of x
 * at T(x), those of an owner that were called later right after their call, the remove last.
 * Put the add of x right after the greatest add_call of x1 .. x: not after T(x), because each value left after its
 * add_call; and before its add's return, because those before it left when the second scan had passed their add_call
 * but not x's return.
 * Now let an operation find the queue empty, in gap g outside of all critical intervals (collection.h). A value
 * whose s is after g has its add's return, and its f, after g. All others have their add_call before g, and when the
 * scan is at g, they have left: if the second scan stopped at one of them, it could leave; if it stopped at another, that
 * return is after g, so it has passed the add_call of all of them. Hence it suffices to put the adds of those that left
 * after g at the end of gap g if they would come before.
 *
 * Sources: Henzinger, Sezgin and Vafeiadis, CONCUR 2013, for the patterns without peeks; two scans as in
 * the later near-linear monitors for queues. The proof and the treatment of peeks are given above. */
#include "object/collection.h"

#include <string.h>

/* Tables by position: twice the value, and one more for a return. */
#define NOTHING ID_NONE

enum { ADD_CALLED = 1, MAY_LEAVE = 2, LEFT = 4 };

struct queue_scan {
    struct collection c;
    uint32_t *adds;         /* add_call, add_return */
    uint32_t *fronts;       /* s, f */
    uint32_t *first_return; /* f of each value */
    uint8_t *state;         /* of each value */
    uint32_t adds_at;       /* where the second scan is */
    uint32_t *left, *when;  /* values in the order in which they left, and the moments; NULL: not asked for */
    uint32_t left_n;
};

static void prepare(struct queue_scan *q)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    size_t bytes = ((size_t)c->end + 1) * sizeof(uint32_t);
    q->adds = memset(mem_alloc(m, bytes), 0xFF, bytes);
    q->fronts = memset(mem_alloc(m, bytes), 0xFF, bytes);
    q->state = mem_new_zero(m, uint8_t, c->n);
    q->first_return = mem_new(m, uint32_t, c->n);
    if (c->job->witness) {
        q->left = mem_new(m, uint32_t, c->n);
        q->when = mem_new(m, uint32_t, c->n);
    }
    for (uint32_t v = 0; v < c->n; v++)
        q->first_return[v] = c->life[v].remove_return;
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
            q->fronts[life->remove_call] = 2 * v;
        if (q->first_return[v] < c->end)
            q->fronts[q->first_return[v]] = 2 * v + 1;
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

/* v leaves if it may and waits for no add. */
static void leave(struct queue_scan *q, uint32_t v, uint32_t now)
{
    if (q->state[v] != (ADD_CALLED | MAY_LEAVE))
        return;
    q->state[v] |= LEFT;
    if (q->left) {
        q->left[q->left_n] = v;
        q->when[q->left_n++] = now;
    }
}

/* Takes the second scan as far as it gets. */
static void scan_adds(struct queue_scan *q, uint32_t now)
{
    for (; q->adds_at < q->c.end; q->adds_at++) {
        uint32_t event = q->adds[q->adds_at];
        if (event == NOTHING)
            continue;
        if (event & 1) {
            if (!(q->state[event / 2] & LEFT))
                return;
        } else {
            q->state[event / 2] |= ADD_CALLED;
            leave(q, event / 2, now);
        }
    }
}

static void may_leave(struct queue_scan *q, uint32_t v, uint32_t now)
{
    q->state[v] |= MAY_LEAVE;
    leave(q, v, now);
    scan_adds(q, now);
}

/* v must leave and has not; `owner` is that of the zone that its f lies in, or v. */
static bool refute(struct queue_scan *q, uint32_t v, uint32_t owner)
{
    struct collection *c = &q->c;
    uint32_t stop = q->adds[q->adds_at] / 2, f = q->first_return[v], culprit = c->life[v].remove;
    bool with_owner = c->life[v].remove_call > q->first_return[owner];
    c->chosen[v] = true;
    if (v == owner || !with_owner) {
        c->chosen[stop] = true;
        with_owner = c->life[stop].remove_call < f;
    }
    if (with_owner)
        c->chosen[owner] = true;
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->ret[i] == f)
            culprit = i;
    collection_refute(c, PATTERN_OrderReversed, culprit);
    return false;
}

/* Passes the zone that begins at f. */
static bool pass_zone(struct queue_scan *q, uint32_t owner)
{
    uint32_t f = q->first_return[owner], s = q->c.life[owner].remove_call;
    for (uint32_t at = f + 1; at < s; at++) {
        uint32_t event = q->fronts[at];
        if (event != NOTHING && event & 1 && !(q->state[event / 2] & LEFT))
            return refute(q, event / 2, owner);
    }
    q->state[owner] |= MAY_LEAVE;
    leave(q, owner, right_before(f));
    if (!(q->state[owner] & LEFT))
        return refute(q, owner, owner);
    scan_adds(q, right_after(s));
    for (uint32_t at = f + 1; at < s; at++)
        if (q->fronts[at] != NOTHING && !(q->fronts[at] & 1))
            may_leave(q, q->fronts[at] / 2, right_after(s));
    return true;
}

static bool scan(struct queue_scan *q)
{
    struct collection *c = &q->c;
    scan_adds(q, 0);
    for (uint32_t at = 0; at < c->end; at++) {
        uint32_t event = q->fronts[at], v = event / 2;
        budget_tick(c->job->budget);
        if (event == NOTHING || q->state[v] & LEFT)
            continue;
        if (!(event & 1))
            may_leave(q, v, right_after(at));
        else if (q->first_return[v] > c->life[v].remove_call)
            return refute(q, v, v);
        else if (!pass_zone(q, v))
            return false;
        else
            at = c->life[v].remove_call;
    }
    for (uint32_t v = 0; v < c->n; v++)
        if (c->life[v].remove == ID_NONE && !(q->state[v] & LEFT))
            may_leave(q, v, right_after(c->end));
    return true;
}

/* ---- witness ---- */

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

static void put_all(struct queue_scan *q, struct timeline *adds, struct timeline *fronts)
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
            put(m, fronts, peeks.list[p], later(when, right_after(c->call[peeks.list[p]])));
        put(m, fronts, life->remove, later(when, right_after(life->remove_call)));
    }
}

/* Merges the timelines and those that found nothing: at one moment these first, then adds, then fronts. */
static void witness(struct queue_scan *q)
{
    struct collection *c = &q->c;
    struct evidence *ev = &c->job->out->evidence;
    struct timeline adds = {0}, fronts = {0};
    put_all(q, &adds, &fronts);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t a = 0, f = 0, j = 0; a < adds.place.n || f < fronts.place.n || j < c->empty_n;) {
        uint32_t add = a < adds.place.n ? adds.when.at[a] : UINT32_MAX;
        uint32_t front = f < fronts.place.n ? fronts.when.at[f] : UINT32_MAX;
        uint32_t nothing = j < c->empty_n ? right_before(c->gap[j] + 1) : UINT32_MAX;
        bool is_nothing = nothing <= add && nothing <= front;
        uint32_t place = is_nothing ? c->empty[j++] : add <= front ? adds.place.at[a++] : fronts.place.at[f++];
        evidence_place(ev, collection_op(c, place));
    }
}

static void run_fast_queue(struct job *job)
{
    struct queue_scan q = {0};
    if (!collection_read(&q.c, job))
        return;
    collection_match_pending(&q.c);
    if (!collection_check_empty(&q.c))
        return;
    prepare(&q);
    if (scan(&q) && job->witness)
        witness(&q);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, "queue");
}

const struct engine engine_fast_queue = {
    .name = "fast-queue",
    .title = "queues with distinct values, in linear time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_fast_queue,
};
