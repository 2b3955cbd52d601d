/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of an object whose state is one value, as recheck reads them. It is a register, a variable of a memory, or a
 * key of a map. It may also be a value of a set (true: it is in) or a lock (true: it is held).
 * Private to this folder. */
#ifndef ASSAY_RECHECK_CELLS_H
#define ASSAY_RECHECK_CELLS_H

#include "recheck/object.h"
#include "spec/facts.h"

/* What it sets is left out if it was there already. */
struct cell_access cell_call_of(const struct object_view *v, uint32_t op);

/* Is the part's state one value? */
bool cell_is(const struct object_part *p);

/* Is the value the initial one of the operation's part? */
bool cell_is_initial(const struct object_view *v, uint32_t op, assay_value value);

#endif
