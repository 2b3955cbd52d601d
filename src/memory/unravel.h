/* SPDX-License-Identifier: Apache-2.0 */
/* From a forced order's conflict to evidence: a short cycle, and why each of its derived edges holds.
 *
 * An edge of a forced order rests on edges derived before it. So the needed edges are visited from the latest to the
 * earliest. Each gives a shortest path for its premise and marks the edges on that path as needed. Written in the
 * opposite order, every reason refers to earlier ones only. Edges that were assumed need no premise: they are the case
 * in which the conclusion holds, and are handed to the caller. */
#ifndef ASSAY_MEMORY_UNRAVEL_H
#define ASSAY_MEMORY_UNRAVEL_H

#include "engine/engine.h"
#include "memory/forced_order.h"
#include "memory/path.h"

struct unravel_need { /* an edge, and where the path of its premise lies in `pool` */
    uint32_t edge, at, count;
};

struct unravel {
    struct job *job;
    uint32_t gone; /* the event at which the steps left the operations, while they are at none */
    const struct forced_order *w;
    struct evidence *ev;
    struct paths paths[2];       /* one per graph */
    struct groups fixed_into[2]; /* edges of forced_graph.fixed by their target: indices of `from` */
    uint32_t graph, limit;       /* of the search under way: only edges below `limit` are used */
    VEC(uint32_t) assumed;       /* edges assumed by the last refutation */
    VEC(uint32_t) reason_of;     /* edge -> 0: not needed, 1: needed, else reason + 2 */
    VEC(uint64_t) waiting;       /* heap of needed edges */
    VEC(struct unravel_need) needs;
    VEC(struct path_edge) pool;
};

void unravel_init(struct unravel *u, struct job *job, const struct forced_order *w);

/* The cycle of the forced order's conflict, written as steps behind the reasons it needs; the caller takes the
 * steps with evidence_cycle or evidence_lemma. `assumed` holds the assumed edges it rests on. */
void unravel_conflict(struct unravel *u);

#endif
