/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency of an object. Is there a linearization, and for each operation a set of earlier operations that it
 * sees? The axioms must hold, and each operation must return the result of the object after the operations that it
 * sees.
 *
 * Operations are appended to the linearization one after another. When o is appended, the operations that it must see
 * depend only on its own choice. Take an axiom vis >= p1;...;pk. If its last step is po, hb or lin, it forces the
 * operations that reach o by the path, for every choice (`forced`). If its last step is vis, it forces, with each b
 * that o sees, the operations that reach b by p1;...;p(k-1). The sets reached by parts of paths, `reach`, are kept for
 * each appended operation, so both are unions of known sets. So o may see the sets that contain `forced` and are closed
 * under the second rule.
 *
 * Minimal: only the smallest of these sets that explain o's result are tried (CAV'18, theorem 1: a smaller choice now
 * leaves no fewer choices later). A search finds one of them. It replays the linearized operations, some of them left
 * out, through the states that the object and the closures can get into. The others grow from the closure of `forced`
 * by the closure of one more operation at a time, each linearized before the last. Three rules limit their number.
 * First, observers and operations of other keys need not be added for their own sake. Without them the result is the
 * same and the set smaller. (If a forced operation of another key cannot take effect, all keys count.) Second, a set
 * that contains a found set is dropped. Third, a set grows only while there is hope: the search above must find a set
 * that contains it. If no axiom uses the visibility of others, any one set that explains o will do.
 * Naive: all closed sets, the largest first, as the paper's baseline.
 *
 * Before minimal tries all of them, it makes attempts that are likely to succeed and end after a fixed number of
 * states. The first lets every operation see all operations before it. A linearization that explains all results so
 * satisfies every axiom, since po, hb and vis lie within lin, which is transitive. So a linearizable history costs as
 * much as for linearizability. The second attempt takes, for each operation at each place, one smallest set and no
 * other. A solution that an attempt finds is a solution like any other. If it finds none, it has decided nothing. Its
 * memo is dropped, and the search over all smallest sets starts anew, with no limit. So an answer `no` always comes
 * from that search, to which the theorem applies.
 *
 * Where no axiom uses the visibility or the place of another operation, few operations are enough for a contradiction.
 * suspects.c looks for them, once the attempts have failed.
 *
 * An observer is linearized at once if the closure of `forced` explains it, unless an axiom depends on its place. Later
 * no less is forced upon it, and now it forces nothing upon others that it would not force later.
 *
 * A state of the search that failed is not visited again. The future depends on three data. The first is the set of
 * linearized operations. The second is the order of the operations that change something (of each key, where there are
 * keys). Its first part, as far as all remaining operations must see it, is represented by the state after it. The
 * third are the sets `reach` that axioms can still use, without the operations that all must see anyway. With complete
 * visibility that is the state of the object.
 *
 * Source: Emmi and Enea, Monitoring Weak Consistency (CAV'18); Wing and Gong, Lowe for the two orders of trying. */
#ifndef ASSAY_WEAK_WEAK_H
#define ASSAY_WEAK_WEAK_H

#include "engine/engine.h"

enum { WEAK_MOST = 4096 }; /* operations, as many as the widest sets hold (widths.def) */

extern const char *const weak_variants[]; /* minimal, naive, suspects */

/* Why weak consistency of the object is not decided, or NULL. */
const char *weak_object_declines(const assay_spec *spec);
/* Why it declines the part, or NULL. */
const char *weak_declines(const struct job *job);

/* Decides. by_return: of several ready operations the one that returns first is tried first, else the one called
 * first. */
void weak_run(struct job *job, bool by_return);

#endif
