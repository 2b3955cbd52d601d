/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which transactions were recorded, as a candidate for their order of commits.
 *
 * Many logs have it, and it needs neither clocks nor lanes: the work is linear, however many sessions there are. An
 * order of commits explains the history iff each transaction has a snapshot, a beginning of the order, such that
 *   - the transactions before it in base order are in the snapshot, and so are the sources of its reads;
 *   - the next version of a key that it read is not in the snapshot;
 *   - ser: all transactions before it are in the snapshot; si: the earlier writers of the keys that it writes are.
 * So the size of a snapshot has a lower and an upper bound, which one pass finds.
 *
 * If the candidate fails, nothing is known. Source: the axioms of the levels; recorded orders as candidates are those
 * of checkers that trust timestamps (Chronos), which is not done here. */
#ifndef ASSAY_TRANSACTION_RECORDED_H
#define ASSAY_TRANSACTION_RECORDED_H

#include "engine/engine.h"
#include "transaction/view.h"

/* Of one of the levels COND_PC, COND_PSI, COND_SI, COND_SER, which is that of the job's model or a stronger one. True:
 * the history is consistent, and the job's result says so. */
bool recorded_explains(struct job *job, const struct txn_view *v, unsigned level);

/* The transactions as they were recorded: by their ends if they have times, else by their operations. Memory from m. */
uint32_t *recorded_order(const struct txn_view *v, const history *h, struct mem *m);

#endif
