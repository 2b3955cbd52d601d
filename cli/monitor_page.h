/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `assay monitor --html`, about the first violation.
 *
 * The last lines of the stream are kept, PAGE_KEPT bytes of them. While the history has not outgrown them, the page is
 * that of `assay check` on the history up to the event of the violation. Later it is about the operations that the
 * report names, as a history of their own. It is written only if they are a violation by themselves. */
#ifndef ASSAY_CLI_MONITOR_PAGE_H
#define ASSAY_CLI_MONITOR_PAGE_H

#include "assay_monitor.h"

#include <stdbool.h>

enum { PAGE_KEPT = 1 << 20 };

struct monitor_page {
    const char *file; /* NULL: none is asked for */
    const char *object, *init;
    char *text; /* whole lines, and the beginning of one */
    size_t n, room;
    uint64_t first; /* the number of its first line */
    bool cut;       /* the history has lines before */
    bool done;
};

void monitor_page_feed(struct monitor_page *p, const char *bytes, size_t n); /* before the monitor is fed them */
/* At a violation: writes the page, if it is the first. False, with a message, if it could not be written. */
bool monitor_page_write(struct monitor_page *p, const char *name, const assay_monitor_violation *v);
void monitor_page_free(struct monitor_page *p);

#endif
