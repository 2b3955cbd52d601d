/* SPDX-License-Identifier: Apache-2.0 */
/* A history with a store order: are the graphs acyclic, and if not, which short cycles do they
 * have?
 *
 * For each variable the writes are in one order (ww); a read comes before all writes behind its source (rw). Since the
 * order is total, the edges to the next write generate all of these, so that a graph has O(n) edges. Strongly connected
 * components are found in linear time, and come out in a topological order. Cycles are short if ww and rw may jump. The
 * search goes breadth first within one component. Since a jump reaches all later writes, the reached writes of a
 * variable (of a chain) are all writes behind some position.
 *
 * Source: Tarjan (1972) for components. */
#ifndef ASSAY_MEMORY_STORED_H
#define ASSAY_MEMORY_STORED_H

#include "base/budget.h"
#include "memory/frame.h"

enum stored_kind { STORED_PO, STORED_WR, STORED_WW, STORED_RW };

struct stored_step {
    uint32_t from, to;     /* events */
    uint32_t read;         /* WR, RW: the access that reads */
    enum stored_kind kind; /* PO: the frame's order */
};

struct stored_reach { /* positions from `low` on have been reached, in the search numbered `search` */
    uint32_t search, low;
};

struct stored {
    const struct frames *f;
    struct mem *m;
    struct budget *budget;
    const uint32_t *src;   /* read -> its source, as in struct rw */
    struct groups readers; /* of each write; reads and writes are accesses */
    struct groups order;   /* of each variable: its writes in store order; to be filled in by the caller */
    uint32_t *place;       /* write -> its index in order.list; stored_ordered sets it */

    /* of the frame that stored_acyclic looked at last */
    const struct frame *frame;
    uint32_t *component; /* of an event; ID_NONE: not in the frame */
    uint32_t *sorted;    /* events by component, in a topological order of these */
    uint32_t placed;
    VEC(uint32_t) cyclic; /* one event of each component that has a cycle */

    VEC(struct stored_step) cycle; /* the last one found */

    /* components under construction */
    uint32_t *index, *low;
    uint32_t *access, *cursor; /* the next successor: one of this access, ID_NONE: one in the frame; and which one */
    VEC(uint32_t) path, open;

    /* the search for a cycle */
    uint32_t search, start;
    uint32_t *seen;                              /* event -> number of the search that saw it */
    struct stored_step *by;                      /* event -> the step that reached it */
    struct stored_reach *in_chain[2], *in_order; /* per chain, per variable */
    VEC(uint32_t) queue;
};

/* At first each variable's writes are in event order. */
void stored_init(struct stored *s, const struct frames *f, struct mem *m, struct budget *budget);
/* The sources are no longer those of the view; RW_THIN: the event does not read at all. */
void stored_sources(struct stored *s, const uint32_t *src);
/* order.list has changed. */
void stored_ordered(struct stored *s);

/* Is the graph acyclic? `sorted` is then a topological order of its events. */
bool stored_acyclic(struct stored *s, uint32_t frame);
/* Then, in the same graph: is sorted[i] on a cycle, and a short cycle through such an event. */
bool stored_on_cycle(const struct stored *s, uint32_t i);
void stored_cycle(struct stored *s, uint32_t event);

#endif
