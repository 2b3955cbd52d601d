/* SPDX-License-Identifier: Apache-2.0 */
/* Independent parts of a history of transactions: sessions that share no keys, directly or through others.
 *
 * Session order stays within a chain, and reads-from and the orders of writers within a key. So no cycle leaves a part.
 * Orders of the parts one after another are an order of the whole. This is not so with real time, which orders
 * transactions of all sessions. */
#ifndef ASSAY_TRANSACTION_APART_H
#define ASSAY_TRANSACTION_APART_H

#include "transaction/view.h"

struct txn_apart {
    uint32_t count;       /* of parts; 1 if there is real time */
    struct groups chains; /* of each part, if there are several */
};

/* Memory from m. */
struct txn_apart txn_apart(const struct txn_view *v, struct mem *m);
struct txn_view *txn_apart_view(const struct txn_view *v, const struct txn_apart *a, uint32_t part, struct mem *m);

#endif
