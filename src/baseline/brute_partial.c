/* SPDX-License-Identifier: Apache-2.0 */
/* CCM and wCCM: the partial store order that all operations' hb_o give together, once.
 *
 *   hb  = (U_o hb_o)+ in each view, all = (U_views hb)+
 *   pww = (all on writes of one variable U cf[hb] of each view)+
 *   order U wr U pww U rw[pww] acyclic in each view */
#include "baseline/brute_conditions.h"

static void happens_before(const struct graph *g, const struct view *view, set *hb)
{
    set co[MOST_NODES];
    graph_closed(g, view, NULL, co);
    for (uint32_t o = 0; o < g->n; o++) {
        set observed[MOST_NODES];
        brute_observe(g, view, co, o, observed);
        rows_unite(hb, observed, g->n);
    }
    rows_close(hb, g->n);
}

static void partial_store_order(const struct graph *g, const struct views *views, set reads, set *pww)
{
    set all[MOST_NODES] = {0};
    for (uint32_t i = 0; i < views->n; i++) {
        set hb[MOST_NODES] = {0};
        happens_before(g, &views->at[i], hb);
        graph_add_cf(g, hb, reads, pww);
        rows_unite(all, hb, g->n);
    }
    rows_close(all, g->n);
    graph_add_ww(g, all, pww);
    rows_close(pww, g->n);
}

enum pattern brute_partial(const struct graph *g, const struct views *views, set reads)
{
    set pww[MOST_NODES] = {0};
    partial_store_order(g, views, reads, pww);
    for (uint32_t i = 0; i < views->n; i++) {
        set rel[MOST_NODES];
        graph_closed(g, &views->at[i], pww, rel);
        if (rows_cyclic(rel, g->n))
            return PATTERN_ForcedCycle;
    }
    return PATTERN_NONE;
}
