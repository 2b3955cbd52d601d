/* SPDX-License-Identifier: Apache-2.0 */
/* Explanation: the stage between the verdict and a result that no longer changes.
 *
 * A check ends with a verdict and its proof. For a person the proof may say too little: a search that found no order
 * names the return at which it ended. So the history is looked at again, without a clock and within a bounded number of
 * steps: which return ends the longest linearizable prefix, which call may be at fault, which few operations contradict
 * each other, which initial value was perhaps not recorded. The answers are data of the result. Reports only put them
 * into words, so all of them tell the same. A caller who wants the verdict alone does not come here. */
#ifndef ASSAY_EXPLAIN_STAGE_H
#define ASSAY_EXPLAIN_STAGE_H

#include "evidence/evidence.h"

/* Completes the explanation of a violation, which was found with these options. Memory from x->mem. May escape. */
void explain(const result *r, const assay_options *options, struct explanation *x);
/* The longest linearizable prefix, for a picture of it. The same. */
void explain_prefix(const result *r, const assay_options *options, struct explanation *x);

#endif
