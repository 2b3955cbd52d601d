/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle against itself: axioms, views and machines must have the same verdicts. No library takes part. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_AGREE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_AGREE_H

#include "oracle/transactions/history.h"

/* A history with lists, or with too many transactions, is left alone. */
void check_agreement(const struct history *h);

#endif
