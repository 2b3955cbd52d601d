/* SPDX-License-Identifier: Apache-2.0 */
/* The violations that the end of the input brought about, with calls that were still open.
 *
 * A run that goes on from the checkpoint goes on before that end. It finds them again, at the next end or once the
 * calls have returned. They are not reported a second time. A violation that is found before the end becomes part of
 * the state, and leaves the list. */
#ifndef ASSAY_CLI_MONITOR_REPORTED_H
#define ASSAY_CLI_MONITOR_REPORTED_H

#include "assay_monitor.h"

struct reported_violation {
    uint64_t index, event;
    char *object; /* "": it has no name */
};

struct monitor_reported {
    struct reported_violation *at;
    size_t n;
};

void monitor_reported_add(struct monitor_reported *r, uint64_t index, uint64_t event, const char *object,
                          size_t length);
/* Was it reported? At the end it is noted, else it is taken off the list. */
bool monitor_reported_before(struct monitor_reported *r, const assay_monitor_violation *v, bool at_end);
void monitor_reported_free(struct monitor_reported *r);

#endif
