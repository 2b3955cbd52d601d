/* SPDX-License-Identifier: Apache-2.0 */
/* wSC and wTSO: the least store order st that is forced step by step, by plain iteration.
 *
 *   hb = (order U wr U st U rw[st])+ in each view
 *   st = (U_views hb on writes of one variable U cf[hb])+
 *
 * Starting from nothing, the rounds only add pairs; when one adds nothing, this is the least
 * solution. Each hb must be acyclic. */
#include "baseline/brute_conditions.h"

#include <string.h>

/* One round: the hb of each view from st, the next st from these. True: some hb is cyclic. */
static bool iterate(const struct graph *g, const struct views *views, const set *st, set *next)
{
    bool broken = false;
    for (uint32_t i = 0; i < views->n; i++) {
        set hb[MOST_NODES];
        graph_closed(g, &views->at[i], st, hb);
        broken = broken || rows_cyclic(hb, g->n);
        graph_add_ww(g, hb, next);
        graph_add_cf(g, hb, g->reads, next);
    }
    rows_close(next, g->n);
    return broken;
}

enum pattern brute_forced(const struct graph *g, const struct views *views)
{
    set st[MOST_NODES] = {0};
    for (;;) {
        set next[MOST_NODES] = {0};
        if (iterate(g, views, st, next))
            return PATTERN_ForcedCycle; /* a cycle in one round is a cycle in all later ones */
        if (memcmp(st, next, sizeof st) == 0)
            return PATTERN_NONE;
        memcpy(st, next, sizeof st);
    }
}
