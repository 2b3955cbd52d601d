/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking of violations: the rest is a violation whose proof recheck accepts, and no cut that is allowed can be made
 * any more. */
#ifndef ASSAY_TESTS_TRANSACTIONS_SHRUNK_H
#define ASSAY_TESTS_TRANSACTIONS_SHRUNK_H

#include "cross/transactions/sketch.h"

/* Is all well with the violation r of the sketch's history? Else *why says what is not. */
bool shrinks_well(const struct tx_sketch *s, const assay_history *h, const assay_result *r, const char **why);

#endif
