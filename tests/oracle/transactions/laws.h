/* SPDX-License-Identifier: Apache-2.0 */
/* Laws that connect the levels with other models, and histories with their parts. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_LAWS_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_LAWS_H

#include "oracle/transactions/history.h"

/* Of a history, or a random one: lin is ser-strict; without a transaction that nobody reads from, each level that held
 * holds. Of transactions with one access: ser is sc, and tcc is ccv, of the same memory. */
void check_laws_of(const struct history *h);
void check_laws(void);

#endif
