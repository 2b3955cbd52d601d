/* SPDX-License-Identifier: Apache-2.0 */
/* The longest linearizable prefix of a history that violates linearizability.
 *
 * Idea: take the events up to a return; calls that are open then have not returned. A prefix of a linearizable history
 * is linearizable. So bisection finds the last return up to which the history is linearizable. The culprit of the
 * evidence is tried first: two checks suffice where it is the one.
 * Source: Herlihy and Wing 1990 (linearizability is prefix-closed). */
#ifndef ASSAY_EXPLAIN_LONGEST_PREFIX_H
#define ASSAY_EXPLAIN_LONGEST_PREFIX_H

#include "evidence/evidence.h"

/* Fills in x->prefix and x->prefix_end. Nothing changes if the model is not linearizability, there are no times, or the
 * checks take more steps than longest_prefix_looks allows. May escape. */
void longest_prefix(const result *r, const assay_options *options, struct explanation *x);

/* How often the checks, all together, may look at their budgets. They do so after a number of steps, not of seconds:
 * the report of a history is the same on every machine. Tests change it. */
extern uint64_t longest_prefix_looks;

#endif
