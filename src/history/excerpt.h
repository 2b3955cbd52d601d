/* SPDX-License-Identifier: Apache-2.0 */
/* Excerpts: sub-histories to be shown and checked on their own. Threads, declarations of objects and keyed bindings
 * (`@nodes s0=1`, `@init x=1`) stay if an operation of the excerpt is about them; those of @init also if @final is. */
#ifndef ASSAY_HISTORY_EXCERPT_H
#define ASSAY_HISTORY_EXCERPT_H

#include "history/history.h"

/* The operations with keep[op], of which those with open[op] have not returned; open may be NULL. A thread cannot go
 * on after an open call. So an open call whose thread goes on has a thread of its own, NAME-open. all_init: @init
 * stays as it is, since an operation is about all keys, such as the size of a map. May escape. */
history *history_excerpt(const history *h, const bool *keep, const bool *open, bool all_init);
/* The same from an unknown state: the initial value of the key is any. Key ASSAY_NONE: that of the object. */
history *history_excerpt_from_any(const history *h, const bool *keep, const bool *open, struct value key);

#endif
