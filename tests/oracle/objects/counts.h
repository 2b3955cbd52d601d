/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of what the oracle of objects compares, besides verdicts. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_COUNTS_H
#define ASSAY_TESTS_ORACLE_OBJECTS_COUNTS_H

#include <stdint.h>

struct counts {
    uint64_t histories, violations, not_interval, skipped, shrunk, converted, streams, prefixes, reports,
        missed_allowed, weakened, restarts;
};

extern struct counts counts;

#endif
