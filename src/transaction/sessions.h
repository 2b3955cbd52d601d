/* SPDX-License-Identifier: Apache-2.0 */
/* The transactions that count, numbered by session, and the base order beside the sessions. */
#ifndef ASSAY_TRANSACTION_SESSIONS_H
#define ASSAY_TRANSACTION_SESSIONS_H

#include "transaction/gather.h"

/* Fills in n, k, base, chain and op. Returns the transaction of each operation, or ID_NONE. */
uint32_t *sessions_number(const struct gathered *g, enum base base, struct txn_view *v);
/* Fills in before. An error of the history's knowledge is in g->e, and escapes. */
void sessions_before(const struct gathered *g, enum base base, const uint32_t *txn_of, struct txn_view *v);
/* Fills in ended, ended_count and ended_before (real_time.c). */
void sessions_ended(const struct gathered *g, int64_t skew, struct txn_view *v);

#endif
