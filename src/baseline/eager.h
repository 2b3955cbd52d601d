/* SPDX-License-Identifier: Apache-2.0 */
/* The whole of sc, tso or pso as one formula: the standard encoding, to compare with.
 *
 * For each graph of the model a variable per pair of operations says which of the two comes first. Clauses say that
 * this is transitive, which are two for each three operations, and that it contains program order, reads-from and rw.
 * The graphs share the variables of writes of one variable: that is the store order. The graph of po-loc has edges on
 * each variable only, and so have its pairs. A total order is asked for, not just an acyclic graph; each acyclic graph
 * has one.
 *
 * Pairs of writes that a saturation has ordered can be stated as well. Nothing else is done beforehand: this shows how
 * much saturation gains, and how much clauses on demand do (memory/lazy.h).
 *
 * Evidence: the order of all operations that the solver found. If there is none, the refutation is found again with
 * clauses on demand, whose lemmas are few. The clauses here are too many to be read by anybody.
 *
 * Source: SC-SAT and TSO-SAT of CAV'19, section 5, and of the thesis, sections 4.1.4 and 5.1.4; with a saturation the
 * engines CCM+SAT there, and wSC+ENUM of section 4.2.3. */
#ifndef ASSAY_BASELINE_EAGER_H
#define ASSAY_BASELINE_EAGER_H

#include "memory/lazy.h"

enum { EAGER_MOST_EVENTS = 500 }; /* as many as the papers have; 41 million clauses */

extern const char *const eager_variants[];

/* The engines' whole run. The fields of l are the caller's, as for lazy_run. */
void eager_run(struct lazy *l);

#endif
