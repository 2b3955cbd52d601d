/* SPDX-License-Identifier: Apache-2.0 */
/* Causal models of histories whose values are not unique: a SAT solver chooses from whom each read
 * takes its value, the engine `clock` judges the choice, and the sources that its refutation names
 * are not chosen together again.
 *
 * A refutation rests on program order and on the sources of the reads in it (wr steps, and the
 * reads of its reasons), so the clause holds for every choice. */
#ifndef ASSAY_ENGINE_SOURCED_H
#define ASSAY_ENGINE_SOURCED_H

#include "engine/engine.h"
#include "history/candidates.h"

/* The whole run. A witness names the sources; a violation is one that recheck searches for again. */
void sourced_run(struct job *job, const struct candidates *candidates);

#endif
