/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of the monitor, one history for `assay serve`: how far it is, and its first violation. */
#ifndef ASSAY_CLI_MONITOR_JOURNAL_H
#define ASSAY_CLI_MONITOR_JOURNAL_H

#include "run_journal.h"

#include "assay_monitor.h"

#include <stdint.h>

struct monitor_journal {
    const char *file, *object, *model; /* as they were given; the rest is zero at first */
    struct run_journal lines;
    uint64_t told;       /* events of the last line */
    uint64_t violations; /* so far, and the first of them: */
    struct {
        char object[64], model[64], anomaly[64], time[64];
        uint64_t event;
    } first;
};

bool monitor_journal_begin(struct monitor_journal *j, const char *name); /* NULL: none. False, with a message */
void monitor_journal_violation(struct monitor_journal *j, const assay_monitor_violation *v);
void monitor_journal_progress(struct monitor_journal *j, assay_monitor *m);
/* After a fault there is no verdict. False, with a message, if the journal could not be written. */
bool monitor_journal_end(struct monitor_journal *j, assay_monitor *m, bool fault);

#endif
