/* SPDX-License-Identifier: Apache-2.0 */
/* Staleness by its definition: for each read, all candidates for its source, and for each of these all writes. */
#ifndef ASSAY_TESTS_ORACLE_STALENESS_DEFINITION_H
#define ASSAY_TESTS_ORACLE_STALENESS_DEFINITION_H

#include "oracle/staleness/history.h"

enum { MAX_READS = MAX_OPS * MAX_ACCESSES, INITIAL = -1 };

struct write {
    int op, access;
};

/* The write v is newer than the source (an operation, or INITIAL) of a read by operation r. */
bool is_newer(const struct history *h, struct write v, int source, int r);
/* How many writes of the variable are newer, and from the earliest return of one to the call of r. */
struct measure {
    unsigned long long versions, time;
};
struct measure measure(const struct history *h, int var, int source, int r);

/* May the operation be the source of the read? */
bool is_candidate(const struct history *h, int source, int r, const struct access *read);

enum state { SKIPPED, UNEXPLAINED, MEASURED };
/* The least versions and the least time of all candidates. */
enum state behind(const struct history *h, int r, int access, struct measure *least);

#endif
