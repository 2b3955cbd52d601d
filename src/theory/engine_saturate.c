/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `saturate` for lin: the online checker of that name (src/theory/saturate.c), fed with the history. */
#include "theory/stepwise.h"

static const char *declines(const struct job *job)
{
    return job->asked ? stepwise_declines(job, "saturate") : "it finds violations only";
}

static void run(struct job *job)
{
    stepwise_run(job, "saturate");
}

const struct engine engine_saturate_theory = {
    .name = "saturate",
    .title = "unit propagation in the object's theory: violations only",
    .conditions = COND_LIN,
    .on_request = true,
    .variants = (const char *const[]){"+r", NULL},
    .declines = declines,
    .run = run,
};
