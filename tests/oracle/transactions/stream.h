/* SPDX-License-Identifier: Apache-2.0 */
/* A history as a stream of lines that a monitor follows. It is told to check, and so to forget, after any line. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_STREAM_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_STREAM_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>

/* One of the models that monitors have; the verdicts are known. Monitors demand unique values. Where values repeat they
 * may refuse the stream, or report a violation before they see that, but must not call a violation consistent. */
void check_stream(const struct history *h, const bool ok[MODELS]);

#endif
