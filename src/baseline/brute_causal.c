/* SPDX-License-Identifier: Apache-2.0 */
/* The causal conditions: the causes of an operation, and the conclusions of one thread from its reads. */
#include "baseline/brute_conditions.h"

/* co irreflexive, and no r -rw[co]-> w -co-> r. */
enum pattern brute_causal(const struct graph *g)
{
    if (rows_cyclic(g->co, g->n))
        return PATTERN_CyclicCO;
    for (set reads = g->reads; reads;) {
        uint32_t r = take(&reads);
        if (graph_overwriters(g, g->co, r) & rows_before(g->co, g->n, r))
            return has(g->initial, g->node[r].source) ? PATTERN_WriteCOInitRead : PATTERN_WriteCORead;
    }
    return PATTERN_NONE;
}

/* po U wr U cf[co] acyclic. */
enum pattern brute_convergent(const struct graph *g)
{
    set rel[MOST_NODES] = {0};
    rows_unite(rel, g->po, g->n);
    rows_unite(rel, g->wr, g->n);
    graph_add_cf(g, g->co, g->reads, rel);
    rows_close(rel, g->n);
    return rows_cyclic(rel, g->n) ? PATTERN_CyclicCF : PATTERN_NONE;
}

/* One round of rule (2) of hb_o; true if it said something new. */
static bool force(const struct graph *g, set *hb, set reads, bool *before_initial)
{
    bool grown = false;
    while (reads) {
        uint32_t r = take(&reads), source = g->node[r].source;
        for (set v = graph_rivals(g, hb, r); v;) {
            uint32_t w = take(&v);
            grown = grown || !has(hb[w], source);
            hb[w] |= just(source);
            *before_initial = *before_initial || has(g->initial, source);
        }
    }
    return grown;
}

bool brute_observe(const struct graph *g, const struct view *view, const set *co, uint32_t o, set *hb)
{
    set past = rows_before(co, g->n, o) | just(o);
    set reads = (rows_before(view->order, g->n, o) | just(o)) & g->reads;
    for (uint32_t a = 0; a < g->n; a++)
        hb[a] = has(past, a) ? co[a] & past : 0;
    bool before_initial = false;
    while (force(g, hb, reads, &before_initial))
        rows_close(hb, g->n);
    return before_initial;
}

/* hb_o acyclic for every o. */
enum pattern brute_per_thread(const struct graph *g)
{
    struct views views = graph_views(g, NO_BUFFERS);
    for (uint32_t o = 0; o < g->n; o++) {
        set hb[MOST_NODES];
        bool before_initial = brute_observe(g, &views.at[0], g->co, o, hb);
        if (rows_cyclic(hb, g->n))
            return before_initial ? PATTERN_WriteHBInitRead : PATTERN_CyclicHB;
    }
    return PATTERN_NONE;
}
