/* SPDX-License-Identifier: Apache-2.0 */
/* Weak ccm: ccm for memories with store buffers, over ppo and over po on each variable.
 *
 * For pi in {ppo, po-loc}: hb_o^pi is hb_o with pi for po and, for ppo, wr between threads in co; hb^pi = (U_o
 * hb_o^pi)+. whb = (hb^ppo U hb^loc)+, wpww = (whb on writes of one variable U cf_e[hb^ppo] U cf_e[hb^loc])+, where
 * cf_e goes through reads of other threads' writes only. Asked for: both ppo U wr_e U wpww U rw[wpww] and po-loc U
 * wr U wpww U rw[wpww] acyclic.
 *
 * Idea. hb_o^pi is contained in that of pi-later operations, and only reads force edges. So a thread's last read, for
 * ppo, and its last read of each variable, for po-loc, have them all (force.h). In ppo, too, all reads and rmws of a
 * thread are a chain. Consider a path of po, wr and forced edges between two writes. It enters each thread at a read or
 * by an edge at a write, and leaves it at a write. So its steps of po are in ppo. Hence whb of writes is the closure of
 * po, wr and all edges. A cycle of these is a cycle of the first graph above. Without one there is an order of the
 * events that program order agrees with. Along it the clocks of whb, hb^ppo and hb^loc are computed at once. wpww is a
 * row per write (partial.h), which holds for both graphs. A write waits for operations on its own variable, so that the
 * rows' positions are valid for po-loc as well.
 *
 * Cost: O(n*k) in time and space, beside that of finding the edges.
 * Source: wCCM of the thesis, section 5.1, with the corrections of docs/reference/models-formal.md. */
#ifndef ASSAY_MEMORY_WCCM_H
#define ASSAY_MEMORY_WCCM_H

#include "memory/causal.h"
#include "memory/force.h"
#include "memory/frame.h"
#include "memory/partial.h"

enum wccm_verdict {
    WCCM_FINE,
    WCCM_OBSERVED, /* hb_o of one of the two orders is contradictory: `found` */
    WCCM_WHB,      /* whb has a cycle: that of po, wr and the edges, above sort.done */
    WCCM_STORE,    /* one of the two graphs has a cycle above sort.done */
};

enum { WCCM_PPO, WCCM_LOC }; /* the two orders, and graphs */

struct wccm {
    const struct causal *c;
    const struct rw *v;
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    struct frames frames; /* chains of ppo: 2t reads of thread t, 2t+1 the rest; of po-loc: thread and variable */
    struct force force;   /* edges: those of ppo, then those of po-loc */
    uint32_t split;       /* the first edge of po-loc */
    struct partial store; /* wpww */

    uint32_t which;         /* of which order the contradiction is, or in which graph the cycle */
    enum observation found; /* with force.on_cycle, or these: */
    uint32_t read, later;
    struct advance sort;         /* the last one; of `chains` */
    const struct chains *chains; /* NULL: of threads */

    struct groups into[2], all; /* the edges' v by w: of each order, of both */
    struct pasts hb[2], whb;
    uint32_t *passed; /* ppo lane -> the position in program order that it has passed */
    uint32_t *prior;  /* prior_in_buffers */
};

/* c: po U wr, acyclic. Memory from m. */
enum wccm_verdict wccm_check(struct wccm *x, const struct causal *c, struct mem *m, struct budget *budget,
                             struct stats *stats);

/* After a sort that failed: an event on a cycle. */
uint32_t wccm_on_cycle(const struct wccm *x);

#endif
