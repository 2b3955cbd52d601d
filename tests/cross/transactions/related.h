/* SPDX-License-Identifier: Apache-2.0 */
/* Other models that say the same: of memories, where each transaction is one operation, and of objects. */
#ifndef ASSAY_TESTS_TRANSACTIONS_RELATED_H
#define ASSAY_TESTS_TRANSACTIONS_RELATED_H

#include "cross/transactions/verdicts.h"

/* ser is sc and tcc is ccv if every transaction is one operation of a memory. ser-strict is lin. */
bool related_agree(const struct tx_sketch *s, const assay_history *h, bool ser, bool tcc, bool ser_strict,
                   struct judging *j);

#endif
