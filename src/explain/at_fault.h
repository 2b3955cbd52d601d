/* SPDX-License-Identifier: Apache-2.0 */
/* The call whose result is at fault, where the call that ends the longest linearizable prefix is only a consequence.
 *
 * Idea. A wrong result may fit for a while: a value that repeats was taken once too often, and another call misses it
 * later. Let a call be open instead, so that it may have any result, or no effect. If the rest of the history has a
 * linearization then, the result of this call alone is at fault. The culprit of the evidence is tried first. If it is
 * not such a call, calls that began before its return are tried: the latest that returned before it come first.
 *
 * This is a hint. The proof stays the one of the evidence. The argument is this project's own. */
#ifndef ASSAY_EXPLAIN_AT_FAULT_H
#define ASSAY_EXPLAIN_AT_FAULT_H

#include "evidence/evidence.h"

/* Puts the call into x->at_fault if it is another one than the culprit. Nothing changes if the model is not
 * linearizability, there are no times, or a small reason names the culprit. The same if the checks take more steps than
 * at_fault_looks allows. May escape. */
void at_fault(const result *r, const assay_options *options, struct explanation *x);

/* As longest_prefix_looks. Tests change it. */
extern uint64_t at_fault_looks;

#endif
