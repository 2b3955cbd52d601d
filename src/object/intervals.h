/* SPDX-License-Identifier: Apache-2.0 */
/* Is happens-before an interval order? Then it has ranks, and the objects and keys of a history can be judged apart.
 *
 * Why it matters: linearizability is local (Herlihy and Wing 1990) because calls and returns have an order of their own. Let
 * o1 happen before o2 iff ret[o1] < call[o2], and let each part have a linearization. Put every operation at the latest
 * call among those that its part's order has up to it: that is before its return, since nothing in the order happens before
 * what stands earlier. Sorted by these points, all operations are one order of the whole. Without ranks this
 * fails: of t0: write(x, 1), read(y) => 0 and t1: write(y, 1), read(x) => 0, ordered by their threads only, x and y
 * have linearizations, and together they have none.
 *
 * Idea (Fishburn 1970): an order is one of intervals iff the sets of predecessors are nested. So operations are sorted by how
 * many predecessors they have, and these are united one after another: the union must never be larger than the set added
 * last. The call's rank is then the place in that row, and an operation returns just before the first call whose
 * predecessors it is among. */
#ifndef ASSAY_OBJECT_INTERVALS_H
#define ASSAY_OBJECT_INTERVALS_H

#include "object/calls.h"

/* Gives c the ranks that happens-before has, in place of those that do not imply program order or of recorded
 * knowledge; false: it has none, and nothing has changed. Within what the ranks leave open, returns keep the order they
 * had. Memory from m; may escape. */
bool intervals_rank(struct calls *c, struct mem *m, struct budget *b);

/* Gives c the ranks of an interval order that contains happens-before: an operation gets the predecessors of all that seem
 * to have been called before it, too. Nothing of this contradicts happens-before, since what happens before an operation
 * was called before it. The old ranks and knowledge stay where they are. Memory from m; may escape. */
void intervals_tighten(struct calls *c, struct mem *m, struct budget *b);

#endif
