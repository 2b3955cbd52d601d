/* SPDX-License-Identifier: Apache-2.0 */
/* Histories whose values are not unique: from the cheap to the certain.
 *
 * The recorded order is a first guess. Then comes a search with a memo over positions and values (replay.h). It looks
 * among the executions of sc first, which serve every model. At last a SAT solver chooses sources and store orders. */
#ifndef ASSAY_MEMORY_REPEATED_H
#define ASSAY_MEMORY_REPEATED_H

#include "engine/engine.h"

/* The whole run, for sc, tso, pso, cc, ccv and cm. */
void repeated_run(struct job *job);

/* The last step alone. */
void repeated_solve(struct job *job);

#endif
