/* SPDX-License-Identifier: Apache-2.0 */
/* An operation line of .hist, `t0: write(x, 1) => 5 @ 120..180`, for the reader of histories and for monitors. */
#ifndef ASSAY_FORMAT_HIST_OPERATION_H
#define ASSAY_FORMAT_HIST_OPERATION_H

#include "format/cursor.h"

/* The cursor is behind the colon; `name` is the thread's. Appends the operation and returns its number. args is room
 * for its arguments. A fault is raised at the cursor's line, perhaps after the operation was appended. */
uint32_t hist_operation(struct cursor *c, history *h, struct arguments *args, const char *name, size_t length);

#endif
