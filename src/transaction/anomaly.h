/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a cycle of a strong level, by its edges. */
#ifndef ASSAY_TRANSACTION_ANOMALY_H
#define ASSAY_TRANSACTION_ANOMALY_H

#include "transaction/view.h"

/* Of the cycle that the evidence has; level: the condition of the model. */
enum pattern anomaly_of(const struct evidence *ev, const struct txn_view *v, unsigned level, struct mem *m);

#endif
