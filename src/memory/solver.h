/* SPDX-License-Identifier: Apache-2.0 */
/* Engines that use a SAT solver: the variant names it. */
#ifndef ASSAY_MEMORY_SOLVER_H
#define ASSAY_MEMORY_SOLVER_H

#include "engine/engine.h"
#include "solver/sat.h"

extern const char *const solver_variants[];

/* Opens the solver that the job's variant names, or the default one. */
void solver_open(struct job *job, struct sat *s);

#endif
