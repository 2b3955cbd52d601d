/* SPDX-License-Identifier: Apache-2.0 */
/* An argument for a violation that an engine found by search: few operations that have no order, and why.
 *
 * A search ends at a return that nothing explains, and names no core. The cuts of shrinking (shrink.h) find one. Its
 * pattern does not matter here, but the initial state stays as it is: the argument is then about operations of the
 * history as they are. The proof stays the one of the evidence. */
#ifndef ASSAY_EXPLAIN_SMALL_CORE_H
#define ASSAY_EXPLAIN_SMALL_CORE_H

#include "evidence/evidence.h"

/* Fills in x->argument. Nothing changes if there is one already, the violation has a small reason, or the checks take
 * more steps than small_core_looks allows. May escape. */
void small_core(const result *r, const assay_options *options, struct explanation *x);

/* As longest_prefix_looks. Tests change it. */
extern uint64_t small_core_looks;

#endif
