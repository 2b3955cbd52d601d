/* SPDX-License-Identifier: Apache-2.0 */
/* The tally of each value of a collection: a small reason why it is not linearizable, also where values repeat. The
 * objects are queue, stack, deque and priority queue. The tally is made after an engine has found a violation, and by a
 * search in trouble.
 *
 * Idea. Count the calls of one value v, and no others. Let x be a call that returned.
 * - x found or took v. The adds of v that can come before x were called before x returned. If x took v, the removals of
 *   v that returned no later than x took effect by then. If x only looked, those that returned before x was called did.
 *   If the adds, with the initial copies, are too few, there is no linearization.
 * - x found nothing. At a moment the surplus of v is the number of its adds that have returned, with the initial
 *   copies, less its removals that were called. So many copies are there for certain, if it is positive, unless
 *   pending removals took them. If at every moment of x the surpluses add up to more than the pending removals, the
 *   object was never empty.
 *
 * The first rule has four names. There is no add of v, or all of them come too late. Or v was taken more often than it
 * was added, or seen after it was taken. A value without an add is named first, wherever it is: it is the simplest to
 * check. Of
 * the other reasons the one is named whose culprit returned first: no call before it lacks anything. It is not named
 * if the engine has refuted the history up to an earlier return.
 *
 * Invariant: each proof holds of the calls of the named values alone. To leave out the others is an allowed cut
 * (spec/collection.c), so recheck confirms it by its search. One sweep over the sorted events: O(n).
 *
 * For values that are added once the rules are those of collection_calls.h. The counts are this project's own. */
#ifndef ASSAY_SEARCH_TALLY_H
#define ASSAY_SEARCH_TALLY_H

#include "engine/engine.h"

/* Refutes the job's part by such a reason, or replaces the evidence if it has been refuted. False: there is none, and
 * nothing has changed. Memory from the job. */
bool tally_explains(struct job *job);

#endif
