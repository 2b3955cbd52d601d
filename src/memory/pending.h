/* SPDX-License-Identifier: Apache-2.0 */
/* Which pending writes and rmws took effect?
 *
 * None need have: a history satisfies a model if it does with some set of them. That leaves little to choose.
 *   - An rmw whose old value nobody can have written did not happen.
 *   - One whose value nobody reads can be left out: nothing comes after it, since it is its thread's last operation.
 *     The declared last value of a variable, where that counts, is as good as read.
 *   - One whose value is read by an operation that took effect did, if nobody else can have written it.
 * What is left is open: others may have written the value, too, or only open operations read it. */
#ifndef ASSAY_MEMORY_PENDING_H
#define ASSAY_MEMORY_PENDING_H

#include "memory/rw.h"

enum effect { EFFECT_NONE, EFFECT_OPEN, EFFECT_CERTAIN };

/* Of each event, in memory from m; v->kind says what they all do. Linear. May escape. */
uint8_t *pending_effects(const history *h, const struct rw *v, bool final, struct mem *m);

#endif
