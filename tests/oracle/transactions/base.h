/* SPDX-License-Identifier: Apache-2.0 */
/* The base order of the transactions, as sets of predecessors. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_BASE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_BASE_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_TXNS = 12 };

typedef uint32_t set; /* of transactions */

bool in(set s, int t);

/* The transactions with this outcome */
set with_outcome(const struct history *h, enum outcome outcome);

/* Among all transactions, closed, without successors of those of unknown outcome */
void base_order(const struct history *h, enum base b, set base[MOST_TXNS]);

#endif
