/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of the monitor, in text: violations, what each object's monitor guarantees, and what was left open,
 * omitted or skipped. */
#ifndef ASSAY_CLI_MONITOR_SUMMARY_H
#define ASSAY_CLI_MONITOR_SUMMARY_H

#include "monitor_command.h"

#include "assay_monitor.h"

#include <stdbool.h>

struct monitor_summary {
    const char *file;
    assay_monitor *monitor;
    const struct monitor_command *command;
    uint64_t settle; /* after so many events calls from before have returned */
    bool all;        /* objects are checked on after a violation */
};

/* With the reason why it is undecided, or NULL; after a fault it covers what came before. */
void monitor_summary_print(const struct monitor_summary *s, const char *reason, bool fault);

#endif
