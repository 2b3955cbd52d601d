/* SPDX-License-Identifier: Apache-2.0 */
/* Peeks of a stack: when are they part of a core?
 *
 * Cores. A peek of x needs a gap that no other value covers. So with peeks, a core is a set of values that cover some
 * gaps. Each of them has its push, its pop, or one of its peeks in gaps that the others cover (scan/nest.h). The
 * smallest cores cover just the gaps A .. B-1, as in stack_row.h. The proof there holds for peeks, too: a peek of x
 * ends behind r(x). So if g < r(x) and the peek does not span g, it lies behind g.
 *
 * The set for A. At the present moment and for a given A, let X be the set of values x with three properties. x is on
 * the stack or being popped; c(x) < A <= r(x); x has been peeked at. All other values belong to a core for A, or not,
 * as in stack_row.h. Let S be the largest subset of X with this property: each of its values has a covered peek. A peek
 * is covered if each of its gaps has level A or more, or is covered by another value of S. The values of S belong to a
 * core for A. The question is whether each of the gaps A .. now has level A or more, or is covered by S. (Levels take
 * account of x with c(x) only, which is below A.)
 *
 * Kept peeks. A kept peek has the segments that it spanned, with their levels there. These levels are raised together
 * with the levels of the row. A peek is forgotten in three cases:
 * - The pop of its value has returned. Then the value belongs to all cores anyway.
 * - The peek has a gap that will never have a level above c(x), because no other value that covers this gap was pushed
 *   after c(x). This is the usual case, and the peek is forgotten at once.
 * - Another peek of x is covered whenever this peek is.
 *
 * Times to search. If x of S is on the stack, it covers every gap from r(x) on. So a new core with x comes from a
 * change at one of three places. These are the gaps of its peeks, the gaps between c(x) and r(x), and the peeks of
 * another value of S. Only values with such a change are tried, and values that are being popped. */
#ifndef ASSAY_SCAN_STACK_PEEKS_H
#define ASSAY_SCAN_STACK_PEEKS_H

#include "scan/stack.h"

/* A peek of the lifetime returns now; its mark is at `from`. False: the peek cannot matter, and is not kept. */
bool peeks_add(struct stack *s, uint32_t lifetime, const struct online_op *op, uint64_t from);
/* Raises levels: a value with this key covers the gaps from .. to-1. */
void peeks_raise(struct stack *s, uint64_t from, uint64_t to, uint64_t key);
void peeks_forget(struct stack *s, uint32_t lifetime);
void peeks_close(struct stack *s);

/* The A of a core that rests on peeks, or ROW_NEVER. There has been a change at the gaps from .. to-1, or at the
 * lifetime (or ID_NONE). s->caught is the set S of the core. */
uint64_t peeks_core(struct stack *s, uint64_t from, uint64_t to, uint32_t lifetime);

#endif
