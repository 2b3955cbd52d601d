/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `enumerate`: the online checker of that name (src/theory/enumerate.c), fed with the history. */
#include "theory/stepwise.h"

static const char *declines(const struct job *job)
{
    return stepwise_declines(job, "enumerate");
}

static void run(struct job *job)
{
    stepwise_run(job, "enumerate");
}

const struct engine engine_enumerate = {
    .name = "enumerate",
    .title = "all linearizations against the object's theory",
    .conditions = COND_LIN,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"+c", NULL},
    .declines = declines,
    .run = run,
};
