/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated stores, one for each level, so that the level holds of histories that are too large for brute force. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_STORE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_STORE_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>

struct store_plan {
    enum level level;
    bool strict; /* the strict variant holds: ser, si, pc and rc only */
    bool timed;
    int n, sessions, keys, accesses;
    int reads, lists, aborted, maybe; /* percent */
    int values;                       /* that are written to registers again and again; 0: each only once */
};

struct history *run_store(const struct store_plan *p);

#endif
