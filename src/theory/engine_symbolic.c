/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `symbolic`: the online checker of that name (src/theory/symbolic.c), fed with the history. */
#include "solver/sat.h"
#include "theory/stepwise.h"

static const char *declines(const struct job *job)
{
    return stepwise_declines(job, "symbolic");
}

static void run(struct job *job)
{
    stepwise_run(job, "symbolic");
}

const struct engine engine_symbolic = {
    .name = "symbolic",
    .title = "the object's theory, asked of a SAT solver",
    .conditions = COND_LIN,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"+c", "+i", "+r", "+c+i", "+c+r", "+i+r", "+c+i+r", NULL},
    .missing = sat_missing,
    .declines = declines,
    .run = run,
};
