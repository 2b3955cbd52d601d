/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of all that was compared. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_COUNTS_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_COUNTS_H

#include <stdint.h>

struct counts {
    uint64_t small, large, verdicts, consistent, engine_verdicts, forms, gradings, proofs, forged, forged_accepted,
        shrunk, laws, streams, undecided_streams, planted, undecided, agreements, repeated, enumerated;
};

extern struct counts counts;

#endif
