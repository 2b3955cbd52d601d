/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that wait: a dequeue of a blocking queue that is empty, a lock that is held. Nobody can tell a call that waits
 * from one that hangs by looking at the threads, so the object decides.
 *
 * When does a call wait as it should? A call is *disabled* in a state of the object if it cannot take effect there.
 * Either the step of the specification is blocked (a lock that is held). Or its only result is one that the adapter
 * says the method never returns (`deq=empty`: where another queue answers `empty`, this one waits). Suppose the run has
 * come to rest. C are the calls that have returned, and W those that have not. The rest is *right* if some
 * linearization of C alone leads to a state in which each call of W is disabled. Else it is a finding.
 *
 * Why C alone? A call may have had its effect and not have returned yet, and histories with pending calls are checked
 * with that in mind. But at rest nothing will change any more. A call of W that has had its effect had nothing to wait
 * for, and did not end: that is a hang, whichever call it was. So a linearization with the effects of some calls of W
 * is no excuse. (It would excuse everything: a dequeue that sleeps while 3 is queued could be said to have taken it.)
 * Conversely, every linearization of C may lead to a state that enables a call of W, or the results in C may need the
 * effect of one. Then, whatever has happened, a call of W could have ended and did not: no false alarm. A wake-up was
 * lost, or never sent.
 *
 * When has a run come to rest? That cannot be known, so the two answers are given at different times. "It is right" is
 * said as soon as no call has returned for a moment. If that was too early, the run is cut short. Its history is a
 * prefix of one that could have been, so nothing false follows from it. "It is a finding" is said after the limit of
 * hang.h only, by the time that the threads had themselves.
 *
 * The check is that of linearizability, of another history and another object. The history has C, and behind all of
 * them for each call of W a completed call `waiting-NAME` of the same thread. The object has these methods, which
 * change nothing and are legal where NAME is disabled. So the final state of a linearization is one in which all are.
 *
 * Under another model than `lin` the states of an object are not those of a linearization. There a call also waits
 * as it should if its method is one that the adapter lists.
 *
 * An exchanger has no sequential states, and the idea is the same: C must have a linearization of its own, and W one
 * call at most, since two would be partners. Of other objects without states no call waits. */
#ifndef ASSAY_COLLECT_WAIT_H
#define ASSAY_COLLECT_WAIT_H

#include "assay_record.h"
#include "collect/stress/client.h"
#include "collect/stress/stress.h"

/* Are there calls that may wait? */
bool wait_is_possible(const struct vocabulary *v);

/* The object in which a method of the adapter's `waits` is blocked instead of giving that answer, and with the methods
 * `waiting-NAME`. One at a time: it uses the vocabulary. NULL: the object has no states. */
const assay_spec *wait_spec(const struct vocabulary *v, struct mem *mem);

/* Does a call of this history give an answer that the adapter says it never gives? */
bool wait_is_refused(const struct vocabulary *v, const assay_history *h);

enum wait_verdict {
    WAIT_NONE,  /* not all calls that have not returned are of methods that may wait; or nothing can be said */
    WAIT_RIGHT, /* they wait as they should, or that could not be decided */
    WAIT_WRONG  /* one of them should have ended */
};

/* Of the run on the recorder, whose memory must not change meanwhile. *who: for WAIT_WRONG the calls that should have
 * ended, and a state in which they could have, as a text in mem; may be NULL. May escape. */
enum wait_verdict wait_judge(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                             const char **who, struct mem *mem);

/* Of a run that hangs, since its calls are of methods that nobody has said may wait. In every state that the calls
 * which have returned allow, each of the others can only answer with the same word (`empty`). Then it may wait instead
 * of saying so: "deq=empty", what --waits should say. NULL: it is not so, or that could not be decided. May escape. */
const char *wait_remedy(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                        struct mem *mem);

#endif
