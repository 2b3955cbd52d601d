/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a violation that is a cycle, by the edges of the cycle. */
#ifndef ASSAY_TRANSACTION_ANOMALY_H
#define ASSAY_TRANSACTION_ANOMALY_H

#include "transaction/view.h"

/* Names the refutation that the evidence has; level: the condition of the model. */
void anomaly_name(struct evidence *ev, const struct txn_view *v, unsigned level, struct mem *m);

#endif
