/* SPDX-License-Identifier: Apache-2.0 */
/* Disagreements, and counts of all that was compared. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_FINDING_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_FINDING_H

#include <stdint.h>

struct counts {
    uint64_t small, large, verdicts, consistent, engine_verdicts, forms, gradings, proofs, forged, forged_accepted,
        shrunk, laws, planted, undecided;
    int findings;
};

extern struct counts counts;

enum { MAX_FINDINGS = 25 };

/* One disagreement of a history is enough. */
void finding(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
