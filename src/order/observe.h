/* SPDX-License-Identifier: Apache-2.0 */
/* What one thread observes: hb_o for the thread's last operation o, without a fixpoint.
 *
 * hb is the least transitive relation on o's causal past that contains co and, for each read r of the
 * thread with source w, v -> w for every other write v of the same variable with v hb r.
 *
 * Idea. Take the reads r_1 .. r_m in program order and let D_i be the hb-predecessors of r_i. An edge v -> w_i
 * that r_i forces gives no new predecessor to r_j with j >= i: whoever it adds below w_i precedes v, and v
 * precedes r_i, hence r_j, already. So the rule of r_i needs only the edges of later reads, and one pass
 * from the last read to the first finds every D_i, each in its final form:
 *   D_i = co-past of r_i, closed under "w_j in D_i, j > i: add what the rule of r_j put before w_j".
 * D_1 is in D_2 is in ... D_m. A D is a vector of positions, one per thread. What r_j put before w_j is the
 * join of the clocks of the last writes per thread in D_j (at the last read of w_j, where D is largest).
 *
 * Invariant. active[] holds the sources of later reads that are inside the current D and have edges, with
 * those joins. As D only shrinks, one that falls out never returns. A further source of the variable of an
 * active one, and that one, must each precede the other: a cycle.
 *
 * Witness. Placing, for i = 1 .. m, what D_i adds in a topological order of hb, and then r_i, gives a
 * sequence in which every read of the thread returns the last value written: all other writes of its
 * variable in D_i precede w_i.
 *
 * Source: CM as in the thesis, Definition 13 (a thread's last operation suffices); the single backward pass
 * is argued above and cross-tested against the literal definition. */
#ifndef ASSAY_ORDER_OBSERVE_H
#define ASSAY_ORDER_OBSERVE_H

#include "order/causal.h"

struct observed_edge { /* v -> w because v precedes `read`, which reads from w */
    uint32_t v, w, read;
};

struct observe {
    const struct causal *c;
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    uint32_t thread;
    VEC(struct observed_edge) edges; /* in the order they were derived: each rests on earlier ones */
    uint32_t *edges_of; /* source -> where its edges, if any, are + 1; 0: not a source so far */
    struct advance sort;

    /* working state */
    VEC(uint32_t) reads;  /* of the thread, in program order */
    uint32_t *downs;      /* D of the i-th read: downs[i*k] .. */
    size_t downs_room;
    struct active *active;
    uint32_t active_count, active_room;
    uint32_t *joins;      /* of the active sources, by slot */
    VEC(uint32_t) free_slots;
    uint32_t slots;
    uint32_t *active_of;  /* variable -> its active source, or ID_NONE */
    uint32_t *order;      /* where placed events go, or NULL */
    uint32_t placed;
    uint32_t on_cycle;
};

struct active {
    uint32_t source, thread, position; /* the write */
    uint32_t slot; /* of its join */
};

enum observation {
    OBSERVED_FINE,
    OBSERVED_CYCLE,   /* the edges have a cycle through on_cycle, above sort.done */
    OBSERVED_INITIAL, /* `later` precedes `read`, which returned the initial value */
};

void observe_init(struct observe *o, const struct causal *c, struct mem *m, struct budget *budget,
                  struct stats *stats);

/* One thread. With `order` (room for every event) the witness is stored there, `placed` events long. */
enum observation observe_thread(struct observe *o, uint32_t thread, uint32_t *order, uint32_t *read,
                                uint32_t *later);

#endif
