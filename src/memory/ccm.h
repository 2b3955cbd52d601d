/* SPDX-License-Identifier: Apache-2.0 */
/* Causal convergence and memory: one partial store order, from the observations of all threads.
 *
 *   hb = (U_o hb_o)+, pww = (hb on writes of one variable U cf[hb])+, and po U wr U pww U rw[pww] acyclic.
 *
 * Idea. The edges that each thread's reads force (observe.h) generate hb together with po and wr. One sort of the three
 * gives hb's clocks. From them pww is a row per write (partial.h), and a second sort decides. A cycle of hb, and so of
 * one thread's hb_o, is also a cycle of the second sort: the forced edges belong to pww.
 * Cost: O(n*k) in time and space, beside that of finding the edges.
 *
 * Source: CCM of CAV'19, with the corrections of docs/reference/models-formal.md. */
#ifndef ASSAY_MEMORY_CCM_H
#define ASSAY_MEMORY_CCM_H

#include "memory/observe.h"
#include "memory/partial.h"

enum ccm_verdict {
    CCM_FINE,
    CCM_THREAD, /* the observations of `thread` contradict each other */
    CCM_HB,     /* hb has a cycle above sort.done */
    CCM_STORE,  /* po U wr U pww U rw[pww] has one */
};

struct ccm {
    const struct causal *c;
    struct force force; /* the edges of all threads, one after the other */
    struct groups into; /* their v, by w */
    struct pasts hb;
    struct partial store;
    struct advance sort; /* the last one */
    uint32_t thread;
};

enum ccm_verdict ccm_check(struct ccm *x, const struct causal *c, struct mem *m, struct budget *budget,
                           struct stats *stats);

#endif
