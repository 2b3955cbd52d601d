/* SPDX-License-Identifier: Apache-2.0 */
/* Solvers that are programs of their own: found in PATH, fed a text, read to their end.
 *
 * Several threads may run solvers at once. A child is killed and reaped before an escape leaves. */
#ifndef ASSAY_BASELINE_PROCESS_H
#define ASSAY_BASELINE_PROCESS_H

#include "base/budget.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

enum { PROCESS_PATH = 4096, PROCESS_COMPLAINT = 400 };

struct process_end {
    int status;                        /* as of waitpid; -1: someone else reaped the child */
    char complaint[PROCESS_COMPLAINT]; /* the beginning of its standard error */
};

/* The program's file, looked up in PATH at each call; false when there is none. */
bool process_find(const char *name, char path[PROCESS_PATH]);

/* Runs the program at `path` with the arguments argv (up to NULL, argv[0] included), `input` on its standard input, and
 * appends its standard output to `output`. Checks the budget at least every 50 ms. A fault outside of the program is
 * filled into e and raised. */
struct process_end process_run(const char *path, const char *const *argv, const struct text *input, struct text *output,
                               struct budget *budget, assay_error *e);

#endif
