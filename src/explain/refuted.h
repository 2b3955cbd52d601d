/* SPDX-License-Identifier: Apache-2.0 */
/* The first look at a refutation, while the part and the view of its calls are at hand: blame.h and argue.h. */
#ifndef ASSAY_EXPLAIN_REFUTED_H
#define ASSAY_EXPLAIN_REFUTED_H

#include "engine/engine.h"

/* For job.explain. May escape: out of memory. */
void explain_refuted(struct job *job);

#endif
