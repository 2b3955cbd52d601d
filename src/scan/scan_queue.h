/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the distinct values of a queue leave. One scan of time serves recorded histories (fast_queue.c)
 * and live ones (exact_queue.c).
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
 * An operation that found the queue empty has a gap g outside of all critical intervals (collection.h). A value whose s
 * is after g comes in after g, and its f is after g. Every other value has its add's call before g, and has left when
 * the scan is at g. If the second scan stopped at one of these other values, that value could leave. If it stopped at a
 * value whose s is after g, that value's coming in is after g. Hence it suffices to put the adds of values that left
 * after g at the end of gap g, if they would come before.
 *
 * Forgetting. Neither scan goes back. A value that has left, and that both scans have passed, is never needed again. A
 * refusal speaks of a value that has not left, of the value where the second scan stops, and of a zone's owner. A value
 * that is given up (lifetimes.h) counts as a value that left: no other value waits for it.
 *
 * Sources: Henzinger, Sezgin and Vafeiadis, CONCUR 2013, for the patterns without peeks; two scans as in the later
 * near-linear monitors for queues. The proof and the treatment of peeks are given here. */
#ifndef ASSAY_SCAN_QUEUE_H
#define ASSAY_SCAN_QUEUE_H

#include "base/ring.h"
#include "base/vec.h"

#include <stdbool.h>

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

void queue_open(struct queue_scan *q, struct mem *m);
void queue_close(struct queue_scan *q);

/* v stands for a new value from now on. */
void queue_begin(struct queue_scan *q, uint32_t v);

/* Events, in the order of time; of one value at one moment: add_call, comes_in, may_leave, must_have_left. */
void queue_add_call(struct queue_scan *q, uint32_t v);
void queue_comes_in(struct queue_scan *q, uint32_t v);
void queue_may_leave(struct queue_scan *q, uint32_t v);      /* this is s */
bool queue_must_have_left(struct queue_scan *q, uint32_t v); /* this is f; false: refused */

void queue_give_up(struct queue_scan *q, uint32_t v);

#endif
