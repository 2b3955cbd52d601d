/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency of an object: is there a linearization, and for each operation a set of earlier ones that it sees, so
 * that the axioms hold and each returns what the object returns after what it sees?
 *
 * Operations are appended to the linearization one after another. When o is appended, what it must see is known but for
 * its own choice: an axiom vis >= p1;...;pk whose last step is po, hb or lin forces the operations that reach o so, whatever
 * o sees (`forced`); one whose last step is vis forces with each b that o sees those that reach b by p1;...;p(k-1). The sets
 * reached by parts of paths, `reach`, are kept for each operation appended, so both are unions of known sets, and what o
 * may see are the sets that contain `forced` and are closed under the latter.
 *
 * Minimal: only the smallest of these that explain o's result are tried (CAV'18, theorem 1: a smaller choice now leaves
 * no fewer choices later). One of them is found by running through what is linearized, some of it left out, in the states
 * that the object and the closures can get into. The others grow from the closure of `forced` by the closure of one more
 * operation at a time, each linearized before the last. Three things keep them few. Operations that change nothing
 * whatever they return, and those of other keys, need not be added for their own sake: without them the result is the
 * same and the set smaller. (Unless one of another key that is forced cannot take effect: then all keys are looked at.)
 * What contains a set that was found is dropped. And a set grows only while there is hope: running through the states as
 * above, something that contains it must be found. If no axiom asks what others see, any one set that explains o will do.
 * Naive: all closed sets, the largest first, as the paper's baseline.
 *
 * Before minimal tries all of them, it makes attempts that are likely to succeed and end after so many states. The first
 * lets every operation see all before it. A linearization that explains all results so satisfies every axiom, since po, hb
 * and vis lie within lin, which is transitive; so what is linearizable costs what linearizability costs. The second takes,
 * for each operation at each place, one smallest set and no other. When an attempt finds something, that is a solution
 * like any other; when it does not, it has decided nothing, its memo is dropped, and the search over all smallest sets
 * starts anew, with no limit: an answer `no` is always the answer of that one, to which the theorem applies.
 *
 * An operation that changes nothing is linearized at once if the closure of `forced` explains it, unless an axiom minds
 * where it comes: later no less is forced upon it, and it forces nothing upon others that it would not force later.
 *
 * A state of the search that failed is not visited again. What can still happen depends on what is linearized; on the order
 * of those that change something (of each key, where there are keys), of which the first part, as far as all that is to
 * come must see it, is known by the state after it; and on the sets `reach` that axioms can still use, without what all
 * must see anyway. With complete visibility that is the state of the object.
 *
 * Source: Emmi and Enea, Monitoring Weak Consistency (CAV'18); Wing and Gong, Lowe for the two orders of trying. */
#ifndef ASSAY_WEAK_WEAK_H
#define ASSAY_WEAK_WEAK_H

#include "engine/engine.h"

enum { WEAK_MOST = 256 }; /* operations */

extern const char *const weak_variants[]; /* minimal, naive */

/* Why the part is not for it, or NULL. */
const char *weak_declines(const struct job *job);

/* Decides. by_return: of several ready operations the one that returns first is tried first, else the one called first. */
void weak_run(struct job *job, bool by_return);

#endif
