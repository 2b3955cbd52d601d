/* SPDX-License-Identifier: Apache-2.0 */
/* All small histories: up to three transactions of up to two accesses to two keys, in up to three sessions. */
#ifndef ASSAY_TESTS_TRANSACTIONS_ENUMERATE_H
#define ASSAY_TESTS_TRANSACTIONS_ENUMERATE_H

#include "cross/transactions/sketch.h"

/* Every `stride`-th of them, from `first` on. lists: the second key is a list. Returns how many there are. */
uint64_t enumerate_all(bool lists, uint64_t first, uint64_t stride, void (*each)(const struct tx_sketch *s, void *arg),
                       void *arg);

#endif
