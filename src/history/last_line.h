/* SPDX-License-Identifier: Apache-2.0 */
/* A last line without a newline: `return 5` may be the beginning of `return 55`. The history has it as it was read. A
 * violation may be believed only if the file has it however that line goes on.
 *
 * So there is a second history, which says no more than the lines before and the part of the last line that is whole.
 * If it violates a model, then so does each history that the last line may go on to. For each such history that is
 * consistent stays consistent under one of these cuts:
 *   - A call has not returned, if only its outcome is in doubt: not returning allows each outcome.
 *   - A read-only operation goes.
 *   - The latest event goes, for models of real time: nothing that returned before can depend on it.
 *   - A write of a memory goes if no operation has a value that its value may go on to, so that it is not read.
 *   - Declared last values go. */
#ifndef ASSAY_HISTORY_LAST_LINE_H
#define ASSAY_HISTORY_LAST_LINE_H

#include "history/history.h"

extern const char last_line_warning[];

enum left_out { LEFT_OUT_NOTHING, LEFT_OUT, LEFT_OUT_UNKNOWN };

/* Without what may go on; the caller frees *out, unless nothing is to be left out. Unknown: no such history is known.
 * `memory`: the models of memories are meant. `real_time`: the model respects the times as they are. Memory from m; may
 * escape. */
enum left_out last_line_left_out(const history *h, bool memory, bool real_time, struct mem *m, history **out);
/* Of the operation with this number in *out: its number in h. */
uint32_t last_line_origin(const history *h, const history *out, uint32_t op);

/* The error that a violation (or another finding: `what`) is which rests on the last line. */
void last_line_fault(const history *h, const char *what, assay_error *e);

#endif
