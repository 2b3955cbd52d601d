/* SPDX-License-Identifier: Apache-2.0 */
/* One small history from all sides: models, engines, formats, grading, proofs and forged proofs, smaller parts. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_SMALL_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_SMALL_H

#include "oracle/transactions/history.h"

#include <stdint.h>

struct small_options {
    int forge;   /* forged proofs of each true one */
    int engines; /* percent of the histories that go to all engines */
};

void check_small(const struct history *h, const struct small_options *o);

/* A drawn history, a gadget, or two of these together; and a neighbour of it */
void small_family(const struct small_options *o);

/* Of the last history, kept for the next one */
void forget_proofs(void);

#endif
