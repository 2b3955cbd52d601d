/* SPDX-License-Identifier: Apache-2.0 */
/* Does one initial value explain all reads of values that nobody wrote, or the first reads? Then the recording did not
 * tell it, most likely, and the option that does is worth trying. */
#ifndef ASSAY_EXPLAIN_ASSUMED_INITIAL_H
#define ASSAY_EXPLAIN_ASSUMED_INITIAL_H

#include "evidence/evidence.h"

/* Of a violation, by these options: fills in x->assumed. It is tried out: with the option no read has a value that
 * nobody wrote, or, where first reads suggest it, the history is consistent. May escape. */
void assumed_initial(const result *r, const assay_options *options, struct explanation *x);

#endif
