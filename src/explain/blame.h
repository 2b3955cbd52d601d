/* SPDX-License-Identifier: Apache-2.0 */
/* Blame: a small reason for a violation that was found by search.
 *
 * A search ends when nothing is left to try, and knows the return at which that happened. Most violations have a reason
 * that a person can check at once, such as a value without an add, or a stale read. So once a part is refuted, the
 * rules for such reasons are tried, the simplest first. Each rule is sound by itself, takes near-linear time, and
 * leaves evidence that recheck confirms. A history without a violation never comes here. */
#ifndef ASSAY_EXPLAIN_BLAME_H
#define ASSAY_EXPLAIN_BLAME_H

#include "engine/engine.h"

/* The job's part has no linearization. Replaces the evidence where a rule explains it better. If a budget ends
 * meanwhile, the evidence stays as it was. May escape: out of memory. */
void blame(struct job *job);

#endif
