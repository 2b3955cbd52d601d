/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the axioms that are checked for a given order of commits. Private to this folder. */
#ifndef ASSAY_RECHECK_TXN_AXIOMS_H
#define ASSAY_RECHECK_TXN_AXIOMS_H

#include "recheck/transactions.h"

/* The place of a source in the order; the initial transaction is before all. */
uint32_t txn_place(const struct txn_order *o, uint32_t source);
bool txn_refuse_stale(const struct recheck *x, uint32_t reader, uint32_t source, uint32_t newer);

/* No read misses a writer of its key in the past of its transaction. The past is (base U wr)+ for tcc, (base U wr U
 * ww)+ for psi, base for ra. */
bool recheck_txn_pasts(struct recheck *x, const struct txn_order *o);

#endif
