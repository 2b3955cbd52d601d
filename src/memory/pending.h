/* SPDX-License-Identifier: Apache-2.0 */
/* Which pending writes and rmws took effect?
 *
 * Any set is possible: a history satisfies a model if it does with some set of them. Most are decided:
 *   - An rmw whose old value no operation can have written did not happen.
 *   - An operation whose value is never read can be left out: nothing comes after it, since it is its thread's last
 *     operation. The declared last value of a variable, where that counts, is as good as read.
 *   - An operation took effect if its value is read by an operation that took effect, and no other operation can have
 *     written it.
 * The others are open: other operations may have written the value, too, or only open operations read it. */
#ifndef ASSAY_MEMORY_PENDING_H
#define ASSAY_MEMORY_PENDING_H

#include "memory/rw.h"

enum effect { EFFECT_NONE, EFFECT_OPEN, EFFECT_CERTAIN };

/* Of each event, in memory from m; v->kind has the kinds of all events. Linear. May escape. */
uint8_t *pending_effects(const history *h, const struct rw *v, bool final, struct mem *m);

#endif
