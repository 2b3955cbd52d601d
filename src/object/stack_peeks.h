/* SPDX-License-Identifier: Apache-2.0 */
/* Peeks at a stack: when are they part of a core?
 *
 * A peek of x needs a gap that no other value covers. So with peeks, a core is a set of values of which each has
 * its push, its pop, or one of its peeks in gaps that the others of it cover (object/nest.h). The smallest ones
 * cover just the gaps A .. B-1, as in stack_row.h: a peek of x ends behind r(x), so if g < r(x) and it does not
 * span g, it lies behind g.
 *
 * Now, and for a given A, let X be those x, on the stack or being popped, with c(x) < A <= r(x) that have been
 * peeked at. All others belong to a core for A, or not, as before. Of X those belong to it that form the largest
 * set such that each has a peek all of whose gaps are covered, with level A, or by others of the set. What is asked
 * is whether the gaps A .. now are all covered with level A or by these. (Levels take account of x with c(x) only,
 * which is below A.)
 *
 * What is remembered of a peek: the segments that it spanned, with their levels there; they are raised as those of
 * the row. It is forgotten
 *   when its value's pop has returned, which then belongs to all cores anyway;
 *   at once if it has a gap that will never have a level above c(x), because no other value that covers it was
 *   pushed after that, as is the rule;
 *   if another peek of x is covered whenever it is.
 *
 * When to ask. If x of the set is on the stack, it covers everything from r(x) on. So a new core that x makes has
 * become one by what happened to gaps of its peeks, or between c(x) and r(x), or to peeks of another of the set.
 * Only values for which that is so are tried, and those being popped. */
#ifndef ASSAY_OBJECT_STACK_PEEKS_H
#define ASSAY_OBJECT_STACK_PEEKS_H

#include "object/stack.h"

/* A peek of the lifetime returns now; its mark is at `from`. False: it does not matter. */
bool peeks_add(struct stack *s, uint32_t lifetime, const struct online_op *op, uint64_t from);
/* Gaps of from .. to-1 are covered by a value with this key. */
void peeks_raise(struct stack *s, uint64_t from, uint64_t to, uint64_t key);
void peeks_forget(struct stack *s, uint32_t lifetime);
void peeks_close(struct stack *s);

/* A core that rests on peeks, where something has happened to the gaps of from .. to-1, or to the lifetime (or
 * ID_NONE): its A, or ROW_NEVER. s->caught is the set. */
uint64_t peeks_core(struct stack *s, uint64_t from, uint64_t to, uint32_t lifetime);

#endif
