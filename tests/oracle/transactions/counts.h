/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of what the oracle of transactions compares, besides verdicts. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_COUNTS_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_COUNTS_H

#include <stdint.h>

struct counts {
    uint64_t small, large, forms, gradings, shrunk, laws, streams, undecided_streams, planted, agreements, repeated,
        enumerated;
};

extern struct counts counts;

#endif
