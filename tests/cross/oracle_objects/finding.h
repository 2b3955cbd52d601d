/* SPDX-License-Identifier: Apache-2.0 */
/* Disagreements, and counts of all that was compared. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_FINDING_H
#define ASSAY_TESTS_ORACLE_OBJECTS_FINDING_H

#include <stdint.h>
#include <stdio.h>

/* Ends the program if there is no memory. */
void *need(void *p);

struct counts {
    long histories, verdicts, consistent, violations, not_interval, skipped, not_applicable, undecided, rechecked,
        not_judged, forged, shrunk, converted, streams, prefixes, reports, missed_allowed, weakened, restarts;
    long disagreements;
};

extern struct counts counts;
extern uint64_t current_seed;
extern int stop_after; /* so many disagreements */

/* The text of the history is shown once. */
void disagree(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
