/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal that says how far the work is; nothing at all when standard error is a
 * file or a pipe. */
#ifndef ASSAY_CLI_PROGRESS_H
#define ASSAY_CLI_PROGRESS_H

#include <stddef.h>

struct progress {
    const char *what; /* is counted */
    int on;
    int visible;
    double started; /* on the monotonic clock */
};

double progress_now(void); /* seconds on the monotonic clock */
void progress_start(struct progress *p, const char *what);
void progress_show(struct progress *p, size_t done, size_t total, const char *file); /* total 0: not known */
void progress_hide(struct progress *p); /* before anything else is printed */

#endif
