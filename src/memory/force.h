/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that a chain of reads forces: the edges of hb_o for the last read, without a fixpoint.
 *
 * Let pi be an order of operations (po, or ppo, or po on one variable), co the order that pi and wr generate, and r_1
 * .. r_m reads with r_i pi r_j for i < j. hb is the least transitive relation that contains co on the past of r_m and
 * is closed under one rule. For each r_i with source w_i, and every other write v of the same variable with v hb r_i,
 * the rule gives v -> w_i.
 *
 * Idea. Let D_i be the hb-predecessors of r_i. An edge v -> w_i that r_i forces gives no new predecessor to r_j with j
 * >= i. Each event that it adds below w_i precedes v, and v precedes r_i, hence r_j, already. So the rule of r_i needs
 * only the edges of later reads. One pass from the last read to the first finds every D_i, each in its final form:
 *   D_i = co-past of r_i, closed under "w_j in D_i, j > i: add the events that the rule of r_j put before w_j".
 * D_1 is in D_2 is in ... D_m. A D is a row of positions, as in pasts.h. The events that r_j put before w_j are the
 * join of the clocks of the last writes per thread in D_j. (They are taken at the last read of w_j, where D is
 * largest.)
 *
 * Invariant. active[] holds the sources of later reads that are inside the current D and have edges, with those joins.
 * As D only shrinks, a source that falls out never returns. In ppo a thread reads its own writes before they precede
 * it, so that a source may be outside from the start. Let two sources of one variable be inside, one of them active.
 * Then each must precede the other: a cycle.
 *
 * Operations after r_m force nothing more. Reads of other chains do: the caller unites the edges of all chains.
 *
 * Source: CM as in the thesis, Definition 13, and wCCM, Figure 5.2. The single backward pass is argued above and
 * cross-tested against the literal definition. */
#ifndef ASSAY_MEMORY_FORCE_H
#define ASSAY_MEMORY_FORCE_H

#include "base/budget.h"
#include "base/stats.h"
#include "memory/pasts.h"

struct observed_edge { /* v -> w because v precedes `read`, which reads from w */
    uint32_t v, w, read;
};

struct force_source {
    uint32_t write, thread, position;
    uint32_t slot; /* of its join */
};

struct force {
    const struct rw *v;
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    const struct pasts *past; /* co */
    VEC(struct observed_edge)
    edges;              /* in the order they were derived: each rests on earlier ones of its chain;
                                        those that co implies are left out */
    uint32_t *edges_of; /* source -> where the edges that this chain forced, if any, are + 1; 0: no source so far */
    uint32_t on_cycle;  /* a write on a cycle of the edges */

    VEC(uint32_t) reads; /* the chain */
    uint32_t *downs;     /* D of the i-th read: downs[i*k] .. */
    size_t downs_room;
    struct force_source *active;
    uint32_t active_count, active_room;
    uint32_t *joins; /* of the active sources, by slot */
    VEC(uint32_t) free_slots;
    uint32_t slots;
    uint32_t *active_of; /* variable -> its active source, or ID_NONE */
};

enum observation {
    OBSERVED_FINE,    /* so far: the edges may have a cycle */
    OBSERVED_CYCLE,   /* the edges have a cycle through on_cycle */
    OBSERVED_INITIAL, /* `later` precedes `read`, which returned the initial value */
};

void force_init(struct force *f, const struct rw *v, struct mem *m, struct budget *budget, struct stats *stats);
void force_free_work(struct force *f); /* all but the edges */

/* Begins another chain. The edges stay: the caller may clear them. */
void force_begin(struct force *f, const struct pasts *past);

static inline void force_read(struct force *f, uint32_t r)
{
    vec_push(f->m, &f->reads, r);
}

enum observation force_derive(struct force *f, uint32_t *read, uint32_t *later);

/* Joins the row with the past of e, and e itself. */
void force_join(const struct force *f, uint32_t *row, uint32_t e);

/* The events v of the edges from `first` on, by their w. Memory from m. */
struct groups force_into(const struct force *f, uint32_t first, struct mem *m);

#endif
