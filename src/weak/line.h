/* SPDX-License-Identifier: Apache-2.0 */
/* A line: a linearization with visibility of the operations so far, which grows with the history (weak_live.c).
 *
 * An operation has a number from its call on, in the order of calls. A line explains the operations that have returned,
 * and perhaps some open ones. When one more returns, the line is the first guess, and there are four attempts:
 *   1. the operation comes last. Nothing that has returned happened after it, so only its visibility must be found;
 *   2. one or two open operations come last, and the operation behind them;
 *   3. it comes a few places earlier, before operations that overlap it. These are appended again, each with new
 *      visibility;
 *   4. it stands in the line already, since an operation saw it while it was open. Then its visibility must explain the
 *      result, or it is changed there, or the operation is taken out and placed as above.
 * An attempt that succeeds has found a solution like any other. If all fail, nothing is known, and the caller searches.
 *
 * Like the search, a line is compiled for several widths of sets (set.h). */
#ifndef ASSAY_WEAK_LINE_H
#define ASSAY_WEAK_LINE_H

#include "base/budget.h"
#include "weak/demands.h"
#include "weak/task.h"

struct line_setup {
    const assay_spec *spec;
    struct mem *mem;
    struct budget *budget;
    const struct demands *demands;
    const void *start;     /* the state of the object before the first operation */
    assay_call *call;      /* of each operation; has room for as many as the width allows, zeroed */
    const uint8_t *method; /* of each operation, its index */
};

struct line_width {
    uint32_t most; /* operations */
    bool (*search)(struct weak_task *t);
    void (*blame)(struct weak_task *t);
    void *(*open)(const struct line_setup *s);
    void (*close)(void *line);
    /* Operation i was called; `prev` is the thread's operation before, or ID_NONE. It returned, with call[i].result. */
    void (*call)(void *line, uint32_t i, uint32_t prev);
    void (*ret)(void *line, uint32_t i);
    /* Explains i, which has returned, too; `open` are the open operations. False: the guesses failed, and the line must
     * be loaded anew. */
    bool (*extend)(void *line, uint32_t i, const uint32_t *open, uint32_t open_n);
    void (*load)(void *line, const struct weak_solution *s);
    struct weak_solution (*show)(const void *line);
};

extern const struct line_width *const line_widths[]; /* from narrow to wide, up to NULL */

#endif
