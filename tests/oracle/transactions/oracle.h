/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts by brute force, word for word from the axioms: every set of transactions of unknown outcome that may have
 * committed, every order of commits, every choice of sources. For small histories. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_ORACLE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_ORACLE_H

#include "oracle/transactions/base.h"
#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>

/* The elements of lists that are read are unique. */
void judge(const struct history *h, bool ok[MODELS]);

#endif
