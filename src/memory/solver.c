/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/solver.h"

const char *const solver_variants[] = {
#define X(ident) #ident,
#include "solver/sat.def"
#undef X
    NULL};

void solver_open(struct job *job, struct sat *s)
{
    s->adapter = sat_find(job->variant);
    s->budget = job->budget;
    const char *missing = s->adapter->missing();
    if (missing) {
        error_set(job->error, ASSAY_ERROR_MISSING, "the solver %s cannot be used: %s", s->adapter->name, missing);
        escape_raise(ESCAPE_ERROR);
    }
    sat_open(s);
}
