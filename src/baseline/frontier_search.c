/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that search along the frontier, over thread positions with a memo (frontier.h). `search` has the fixed
 * edges alone; `wsc+search` and `wtso+search` stay within the saturated store order. A violation that the saturation
 * finds comes with evidence, one of the search without. */
#include "baseline/frontier.h"
#include "memory/serial.h"

static void search(struct job *job, bool (*close)(struct forced_order *w))
{
    struct causal c;
    struct forced_order w;
    struct serialize s;
    if (serial_thin_air(job))
        return;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    serial_begin_forced_order(job, &c, serial_memory(job), &w);
    forced_final(&w);
    if (serial_refuted(job, &w, close(&w)))
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

static void search_fixed(struct job *job)
{
    search(job, forced_close_fixed);
}

static void search_saturated(struct job *job)
{
    search(job, forced_close);
}

const struct engine engine_search = {
    .name = "search",
    .title = "frontier search with a memo",
    .conditions = COND_SC | COND_TSO,
    .apart = COND_TSO, /* the fixed edges alone do not tell the store order that another thread's reads rest on */
    .on_request = true,
    .no_evidence = true,
    .run = search_fixed,
};

const struct engine engine_wsc_search = {
    .name = "wsc+search",
    .title = "frontier search within the forced store orders",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = search_saturated,
};

const struct engine engine_wtso_search = {
    .name = "wtso+search",
    .title = "frontier search within the forced store orders",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = search_saturated,
};
