/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/blame.h"

#include "base/escape.h"
#include "explain/amounts.h"
#include "search/plain_part.h"
#include "search/stale.h"
#include "search/tally.h"

static void try_rules(void *arg)
{
    struct job *job = arg;
    if (!tally_explains(job) && !amounts_explain(job))
        stale_explains(job);
}

/* Calls of a collection that found nothing, among those of the proof. */
static uint32_t count_empty(const struct job *job, const struct evidence *ev)
{
    struct value ignored;
    uint32_t n = 0;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        n += (plain_roles(job, ev->kept.at[i], &ignored) & ROLE_MISS) != 0;
    return n;
}

/* Does the evidence only say that there is no linearization, or name the values of a register without the calls? Does
 * it rest on several calls that found nothing? */
static bool is_coarse(const struct job *job, const struct evidence *ev)
{
    switch (ev->pattern) {
    case PATTERN_NoLinearization:
    case PATTERN_ValueUnexplained: return true;
    case PATTERN_StaleRead:
    case PATTERN_ReadBeforeWritten: return ev->opposite == ASSAY_NO_OPERATION;
    case PATTERN_EmptyWhileFull: return count_empty(job, ev) > 1;
    default: return false;
    }
}

void blame(struct job *job)
{
    const struct evidence found = job->out->evidence;
    const struct explanation told = job->out->explanation;
    if (!is_coarse(job, &found) || !(job->model->conditions & COND_LIN))
        return;
    enum escape left = escape_run(try_rules, job);
    if (left == ESCAPE_OUT_OF_MEMORY) /* else the report would depend on the machine's memory */
        escape_raise(left);
    if (left != ESCAPE_NONE) {
        job->out->evidence = found;
        job->out->explanation = told;
    }
}
