/* SPDX-License-Identifier: Apache-2.0 */
/* Two writers of one key that each read a value which the other one overwrote. */
#ifndef ASSAY_TRANSACTION_CONCURRENT_H
#define ASSAY_TRANSACTION_CONCURRENT_H

#include "engine/engine.h"
#include "transaction/view.h"

/* psi was refuted by cases. Does one of the pairs whose orders were tried contradict psi by itself? Then this becomes
 * the refutation. */
bool concurrent_pair(const struct job *job, const struct txn_view *v);

#endif
