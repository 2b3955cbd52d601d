/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of all that was compared. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_COUNTS_H
#define ASSAY_TESTS_ORACLE_MEMORY_COUNTS_H

#include <stdint.h>

struct counts {
    uint64_t histories, large, verdicts, engine_verdicts, not_applicable, undecided, proofs, rechecked, unconfirmed,
        forms, gradings, forged, forged_accepted, laws, kernels, cuts, shrunk, slices, ordered;
};

extern struct counts counts;

#endif
