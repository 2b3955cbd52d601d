/* SPDX-License-Identifier: Apache-2.0 */
#include "object/blame.h"

#include "base/escape.h"
#include "object/stale.h"
#include "object/tally.h"

static void try_rules(void *arg)
{
    struct job *job = arg;
    if (!tally_explains(job))
        stale_explains(job);
}

void blame(struct job *job)
{
    const struct evidence found = job->out->evidence;
    bool coarse = found.pattern == PATTERN_NoLinearization || found.pattern == PATTERN_ValueUnexplained;
    if (!coarse || !(job->model->conditions & COND_LIN))
        return;
    enum escape left = escape_run(try_rules, job);
    if (left == ESCAPE_OUT_OF_MEMORY) /* else the report would depend on the machine's memory */
        escape_raise(left);
    if (left != ESCAPE_NONE)
        job->out->evidence = found;
}
