/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force: the definitions of the memory models, written down as they are read, for small
 * histories.
 *
 * Idea: the other engines are quick because they leave out initial writes, operations that are not the last of their
 * thread, and some relations. This one leaves nothing out, so that the others can be compared with it. It also finds
 * the sources of reads by itself, straight from the history's columns.
 *
 * The files brute_*.c have the nodes with their relations (graph) and one kind of condition each.
 *
 * Source: the definitions in docs/reference/models-formal.md. */
#include "baseline/brute_conditions.h"

enum { MOST_EVENTS = 48 };

static enum pattern broken(const struct graph *g, enum condition condition, struct budget *budget)
{
    struct views views;
    switch (condition) {
    case COND_CAUSAL: return brute_causal(g);
    case COND_CONVERGENT: return brute_convergent(g);
    case COND_PER_THREAD: return brute_per_thread(g);
    case COND_CCM: views = graph_views(g, NO_BUFFERS); return brute_partial(g, &views, g->reads);
    case COND_WSC: views = graph_views(g, NO_BUFFERS); return brute_forced(g, &views);
    case COND_SC: views = graph_views(g, NO_BUFFERS); return brute_store(g, &views, budget);
    case COND_WCCM: views = graph_views(g, BUFFER_PER_THREAD); return brute_partial(g, &views, g->external);
    case COND_WTSO: views = graph_views(g, BUFFER_PER_THREAD); return brute_forced(g, &views);
    case COND_TSO: views = graph_views(g, BUFFER_PER_THREAD); return brute_store(g, &views, budget);
    case COND_PSO: views = graph_views(g, BUFFER_PER_VARIABLE); return brute_store(g, &views, budget);
    default: break; /* not among its conditions */
    }
    return PATTERN_NONE;
}

static void run(struct job *job)
{
    struct graph g;
    struct evidence *evidence = &job->out->evidence;
    uint32_t thin;
    if (graph_build(&g, job, &thin)) {
        for (unsigned left = job->model->conditions; left && !evidence->pattern; left &= left - 1)
            evidence->pattern = broken(&g, (enum condition)(left & -left), job->budget);
    } else {
        evidence->pattern = PATTERN_ThinAirRead;
        evidence->culprit = g.node[thin].op;
    }
    job->out->verdict = evidence->pattern ? ASSAY_VIOLATION : ASSAY_CONSISTENT;
}

const struct engine engine_brute = {
    .name = "brute",
    .title = "the definitions word for word, for small histories",
    .conditions = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD | COND_CCM | COND_WSC | COND_SC | COND_WCCM |
                  COND_WTSO | COND_TSO | COND_PSO,
    .most_events = MOST_EVENTS,
    .on_request = true,
    .no_evidence = true,
    .run = run,
};
