/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of transactions (docs/internals/algorithms.md), made of a sketch: a transaction with all reads of its values, a key, a
 * read. Transactions without accesses go, too. */
#ifndef ASSAY_TESTS_TRANSACTIONS_CUTS_H
#define ASSAY_TESTS_TRANSACTIONS_CUTS_H

#include "cross/transactions/sketch.h"

/* The i-th of all single cuts: what it leaves, which may be nothing, and what it cuts. NULL: there are no more. */
const char *cut_sketch(const struct tx_sketch *s, unsigned i, struct tx_sketch *rest);

#endif
