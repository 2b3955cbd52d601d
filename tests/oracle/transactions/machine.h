/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts by brute force, a third time: all runs of a machine on a store of values, without sources and orders.
 *
 * ser: a transaction runs at once. pc, si: its begin copies the store, its commit installs its writes; si refuses a
 * commit if a written key was committed since the begin. Predecessors in base order have committed before the begin.
 * Transactions of unknown outcome run at any time or never. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_MACHINE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_MACHINE_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>

bool has_machine(enum level level);

/* Can a machine of this model have made the history? Of registers only */
bool machine_runs(const struct history *h, int model);

#endif
