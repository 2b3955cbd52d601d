/* SPDX-License-Identifier: Apache-2.0 */
/* A history as a log of events in the forms of Elle, which say less: the initial value is nil, only committed
 * transactions have the values that they read, and the times are the numbers of the events. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_ELLE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_ELLE_H

#include "oracle/transactions/history.h"

#include <stdbool.h>

/* Makes the history one that such a log can say, with the times of the log, which is returned in EDN or in JSON. NULL: it
 * has initial values of its own, or knowledge. */
char *write_elle(struct history *h, bool json);

#endif
