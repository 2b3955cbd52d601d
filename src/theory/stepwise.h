/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded histories for online checkers: the calls and returns of a part, one after another. A violation that an
 * online checker finds at a return is a violation of the history up to then; that is the proof. A checker that is sound
 * only and finds nothing leaves the part undecided. */
#ifndef ASSAY_THEORY_STEPWISE_H
#define ASSAY_THEORY_STEPWISE_H

#include "engine/engine.h"
#include "online/online.h"

/* Why the part is not for the checker of this name, or NULL. */
const char *stepwise_declines(const struct job *job, const char *checker);
void stepwise_run(struct job *job, const char *checker);

#endif
