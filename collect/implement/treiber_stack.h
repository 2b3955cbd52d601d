/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack (1986): a list whose first node a push and a pop exchange by compare-and-swap.
 *
 * A pop reads the top t and its successor n, and then moves the top from t to n if it is still t. If t was popped, and
 * pushed again, in the meantime, n need no longer be its successor: the ABA problem (Figure 1 of Emmi, Enea, Hamza,
 * PLDI 2015). With a tag beside the top that grows with every exchange, the second t is not the first one.
 *
 * Nodes are numbers of entries in a pool; a thread pushes the nodes that it popped again, the last one first, as an
 * allocator would. The pool outlives all calls, so the bug shows in results and never in a crash. */
#ifndef ASSAY_COLLECT_TREIBER_STACK_H
#define ASSAY_COLLECT_TREIBER_STACK_H

#include "collect/implement/shared.h"

void *treiber_create(const assay_adapter_setting *setting, bool tagged, void (*point)(void));
void treiber_destroy(void *object);
assay_answer treiber_call(void *object, unsigned thread, unsigned method, const int64_t *args);

#endif
