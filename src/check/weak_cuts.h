/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of weak consistency: a call goes if no result that is left can depend on it.
 *
 * The result of an operation x is that of the calls that it sees, executed anew in the order of the linearization. All
 * of these and x itself must be able to take effect. So let y go, and let each x that is left be one of these:
 *   unseen     x happens before y. Then y comes behind it, and x does not see it.
 *   silent     x has no result, and no call of the object can be blocked.
 *   elsewhere  y is about another key, value or object than x, and no call of the object can be blocked.
 *   unread     x read another value of a register or variable than y writes, and there is no compare-and-swap. The last
 *              write that x sees is another one.
 *   empty      x found a queue, stack or priority queue empty, and y adds a value. Without y, each state of the
 *              sequence has at most one value less, and none more.
 *   behind     x got w from a queue, and every call that adds w happens before y. All values that were taken out
 *              before w were added before it, so the value of y is not among them.
 *   below      x got w from a stack, and y happens before every call that adds w. Between this call and x all values
 *              above w come and go, and y is below.
 *   smaller    x got w from a priority queue, and y adds a smaller number. Without y, each state lacks one number
 *              that is not greater: where that would be taken out, a smaller one is.
 *
 * Relations are restricted to the calls that are left, and every axiom still holds. So the rest is consistent if the
 * whole was. Several calls may go at once: leave them out of the calls that x sees, one after another. The argument
 * is this project's own. */
#ifndef ASSAY_CHECK_WEAK_CUTS_H
#define ASSAY_CHECK_WEAK_CUTS_H

#include "search/calls.h"

enum { WEAK_CUTS_MOST = 512 }; /* operations; of more, nothing is said */

/* spoils[y * n + x]: without y, x may return another result, or none. Memory from m. */
bool *weak_cuts(const struct calls *c, struct mem *m);

#endif
