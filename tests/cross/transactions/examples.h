/* SPDX-License-Identifier: Apache-2.0 */
/* Histories with known verdicts: the examples of the definitions. */
#ifndef ASSAY_TESTS_TRANSACTIONS_EXAMPLES_H
#define ASSAY_TESTS_TRANSACTIONS_EXAMPLES_H

#include "cross/transactions/verdicts.h"

/* Each example has the verdicts that are known, by brute force and by all engines, and the name of its anomaly. */
void judge_examples(struct judging *j);

#endif
