/* SPDX-License-Identifier: Apache-2.0 */
/* Is happens-before an interval order? Then it has ranks, and the objects and keys of a history can be judged apart.
 *
 * Reason. Linearizability is local (Herlihy and Wing 1990) because calls and returns have an order of their own. Let o1
 * happen before o2 iff ret[o1] < call[o2], and let each part have a linearization. Give each operation a point: the
 * latest call among the operations up to it in the linearization of its part. The point lies before its return, since
 * the operation does not happen before any operation that stands earlier. Sorted by these points, all operations are
 * one linearization of the whole.
 *
 * Without ranks this fails. Take t0: write(x, 1), read(y) => 0 and t1: write(y, 1), read(x) => 0, ordered by their
 * threads only. x and y have linearizations, and together they have none.
 *
 * Idea (Fishburn 1970). An order is an interval order iff the sets of predecessors are nested. So operations are sorted
 * by their number of predecessors, and their sets of predecessors are united one after another. The union must never be
 * larger than the set added last. The rank of a call is then its place in that row. An operation returns just before
 * the first call that it precedes. */
#ifndef ASSAY_SEARCH_INTERVALS_H
#define ASSAY_SEARCH_INTERVALS_H

#include "search/calls.h"

/* Gives c the ranks of happens-before. They replace ranks that do not imply program order, or recorded knowledge.
 * False: there are none, and nothing has changed. Where the ranks leave a choice, returns keep the order they had.
 * Memory from m; may escape. */
bool intervals_rank(struct calls *c, struct mem *m, struct budget *b);

/* Gives c the ranks of an interval order that contains happens-before. Each operation also gets the predecessors of all
 * operations that seem to have been called before it. This does not contradict happens-before, since the predecessors
 * of an operation were called before it. The old ranks and knowledge are not freed. Memory from m; may escape. */
void intervals_tighten(struct calls *c, struct mem *m, struct budget *b);

#endif
