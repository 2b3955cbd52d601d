/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of what the oracle of memories compares, besides verdicts. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_COUNTS_H
#define ASSAY_TESTS_ORACLE_MEMORY_COUNTS_H

#include <stdint.h>

struct counts {
    uint64_t histories, large, forms, gradings, laws, kernels, cuts, shrunk, slices, ordered;
};

extern struct counts counts;

#endif
