/* SPDX-License-Identifier: Apache-2.0 */
/* An argument for a violation that an engine found by search: few operations that have no order, and why.
 *
 * A search ends at a return that nothing explains, and names no core. The cuts of shrinking (shrink.h) find one. Its
 * pattern does not matter here, but the initial state stays as it is: the argument is then about operations of the
 * history as they are. It is for reports alone; the proof stays the one of the evidence. */
#ifndef ASSAY_CHECK_SMALL_CORE_H
#define ASSAY_CHECK_SMALL_CORE_H

#include "check/check.h"

/* Adds the argument to ev, a copy of the result's evidence that owns `m`. Nothing changes if there is one already, the
 * violation has a small reason, or the checks take more steps than small_core_looks allows. May escape. */
void small_core(const result *r, const assay_options *options, struct evidence *ev);

/* As longest_prefix_looks. Tests change it. */
extern uint64_t small_core_looks;

#endif
