/* SPDX-License-Identifier: Apache-2.0 */
/* Disagreements, and counts of all that was compared. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_FINDING_H
#define ASSAY_TESTS_ORACLE_MEMORY_FINDING_H

#include <stdint.h>

struct counts {
    uint64_t histories, large, verdicts, engine_verdicts, not_applicable, undecided, proofs, rechecked, unconfirmed,
        forms, gradings, forged, forged_accepted, laws, kernels, cuts, ordered;
    int findings;
};

extern struct counts counts;

enum { MAX_FINDINGS = 25 };

/* One disagreement of a history is enough. */
void finding(const char *text, const char *format, ...);

#endif
