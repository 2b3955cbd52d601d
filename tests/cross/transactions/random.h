/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories of transactions: accesses at random, stores that are simulated, and rare classes on purpose. */
#ifndef ASSAY_TESTS_TRANSACTIONS_RANDOM_H
#define ASSAY_TESTS_TRANSACTIONS_RANDOM_H

#include "cross/transactions/sketch.h"

struct tx_sketch random_sketch(struct rng *rng);

#endif
