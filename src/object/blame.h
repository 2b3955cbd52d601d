/* SPDX-License-Identifier: Apache-2.0 */
/* Blame: a small reason for a violation that was found by search.
 *
 * An engine that searches knows that nothing is left to try, and the return at which that happened. Most violations have
 * a reason that a person can check at once: a value that nobody put in, or a read of a value that was overwritten. So
 * once a part is refuted, the rules for such reasons are tried, the simplest first. Each rule is sound by itself, takes
 * near-linear time, and leaves evidence that recheck confirms. A history without a violation never comes here. */
#ifndef ASSAY_OBJECT_BLAME_H
#define ASSAY_OBJECT_BLAME_H

#include "engine/engine.h"

/* The job's part has no linearization. Replaces the evidence where a rule explains it better. Never escapes: if a
 * budget ends meanwhile, the evidence stays as it was. */
void blame(struct job *job);

#endif
