/* SPDX-License-Identifier: Apache-2.0 */
/* Frames: the part of a memory model's graphs that program order alone decides.
 *
 * Sequential consistency has one graph, with all of program order. TSO and PSO have two. The first has the part of
 * program order that store buffers preserve (ppo). There a thread's own writes reach it early, so that only wr between
 * threads counts. The second has program order on each variable. Other files (stored.h, forced_order.h) add reads-from,
 * the store order and their consequences. A store order that makes all graphs acyclic explains the history.
 *
 * A frame is cut into chains, with edges between them; together they generate the order, which is transitive. */
#ifndef ASSAY_MEMORY_FRAME_H
#define ASSAY_MEMORY_FRAME_H

#include "base/group.h"
#include "memory/chains.h"

enum buffering { MEMORY_SC, MEMORY_TSO, MEMORY_PSO };

struct frame {
    struct chains chains;
    uint32_t *fixed_at, *fixed; /* edges between chains: from e to fixed[fixed_at[e]] .. fixed[fixed_at[e+1]-1] */
    bool external;              /* wr counts between different threads only */
};

struct frames {
    const struct rw *v;
    uint32_t count;
    struct frame frame[2];
};

/* The rule of evidence that names the order of the i-th of so many graphs. */
static inline assay_rule frame_rule(uint32_t count, uint32_t i)
{
    return count == 1 ? ASSAY_PO : i == 0 ? ASSAY_PPO : ASSAY_LOC;
}

/* Memory from m. */
void frames_init(struct frames *f, const struct rw *v, enum buffering memory, struct mem *m);

#endif
