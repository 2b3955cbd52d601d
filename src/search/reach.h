/* SPDX-License-Identifier: Apache-2.0 */
/* Can an operation become legal at all? A glance for the search for a linearization (wgl.c).
 *
 * Idea: forget that an operation happens once. Take the states that the given operations lead to, however often and in
 * whichever order each is taken. If the goal is legal in none of them, no order leads to it. Objects with few states
 * (a register with few values) are walked through quickly. For others the answer is that it may. */
#ifndef ASSAY_SEARCH_REACH_H
#define ASSAY_SEARCH_REACH_H

#include "search/linear.h"

/* Can the operation be linearized in the current state? */
bool reach_legal(struct linear *x, uint32_t i);

/* False: the goal is legal in no state that these operations lead to. */
bool reach_goal(struct linear *x, uint32_t goal, const uint32_t *ops, uint32_t n);

#endif
