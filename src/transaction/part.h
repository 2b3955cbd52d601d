/* SPDX-License-Identifier: Apache-2.0 */
/* Some transactions of a view as a view of their own, in other chains if need be.
 *
 * The part has the sources of its reads. Then an order that explains the whole explains the part: transactions left out
 * wrote nothing that the part reads. So a refutation of the part is one of the whole. Base order beside the chains is
 * kept between transactions of the part only, which is enough for both. */
#ifndef ASSAY_TRANSACTION_PART_H
#define ASSAY_TRANSACTION_PART_H

#include "transaction/view.h"

/* The transactions of v, which has no anomaly, by chain. Memory from m; unchanged arrays are shared with v. */
struct txn_view *txn_part(const struct txn_view *v, const struct groups *chains, uint32_t k, struct mem *m);

/* Beginnings of the chains, length[c] each: makes them so long that they have the sources of their reads. The sum of
 * their lengths. */
uint32_t txn_part_close(const struct txn_view *v, uint32_t *length, struct mem *m);

/* These beginnings of the chains. */
struct txn_view *txn_part_beginning(const struct txn_view *v, const uint32_t *length, struct mem *m);

#endif
