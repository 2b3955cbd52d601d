/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `search`: frontier search over thread positions with a memo (frontier.h), without saturation. */
#include "baseline/search.h"

#include "baseline/frontier.h"

static void search(struct job *job, enum memory memory, bool saturated)
{
    struct causal c;
    struct forced_order w;
    struct serialize s;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    serial_begin_forced_order(job, &c, memory, &w);
    forced_final(&w);
    if (serial_refuted(job, &w, saturated ? forced_close(&w) : forced_close_fixed(&w)))
        return;
    serialize_init(&s, &w, job->mem);
    bool found = frontier_search(&s);
    job->out->stats.choices += s.choices;
    job->out->stats.conflicts += s.conflicts;
    if (found) {
        serial_consistent(job, s.order, s.executed);
        return;
    }
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.pattern = PATTERN_NoStoreOrder;
}

void search_run(struct job *job, enum memory memory, bool saturated)
{
    if (!serial_thin_air(job))
        search(job, memory, saturated);
}

static void run_search(struct job *job)
{
    search_run(job, job->model->conditions == COND_TSO ? MEMORY_TSO : MEMORY_SC, false);
}

const struct engine engine_search = {
    .name = "search",
    .title = "frontier search with a memo",
    .conditions = COND_SC | COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = run_search,
};
