/* SPDX-License-Identifier: Apache-2.0 */
/* Does a transaction write a key? Most write few keys, which are looked through. The writes of one that writes many are
 * sorted by key once. So the keys that one transaction reads and another one writes are found by way of the smaller
 * set. */
#ifndef ASSAY_TRANSACTION_KEY_SET_H
#define ASSAY_TRANSACTION_KEY_SET_H

#include "transaction/view.h"

struct key_sets {
    const struct txn_view *v;
    uint32_t *sorted; /* the keys of the writes: those of transactions with many are sorted; NULL: there are none */
};

enum { KEYS_FEW = 16 };

struct key_sets key_sets_of(const struct txn_view *v, struct mem *m);
bool key_sets_has(const struct key_sets *s, uint32_t t, uint32_t key);

#endif
