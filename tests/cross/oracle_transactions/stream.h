/* SPDX-License-Identifier: Apache-2.0 */
/* A history as a stream of lines that a monitor follows. It is told to check, and so to forget, after any line. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_STREAM_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_STREAM_H

#include "cross/oracle_transactions/history.h"
#include "cross/oracle_transactions/models.h"

#include <stdbool.h>

/* One of the models that monitors have; the verdicts are known. A violation that a monitor reports before it has all
 * lines may come from values that are not yet repeated: only its verdict of consistency counts then. */
void check_stream(const struct history *h, const bool ok[MODELS]);

#endif
