/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a cycle through the partial store order of ccm or wccm.
 *
 * The pairs of the order rest on paths of hb. A path of ww leads from a write to a later one, of cf from a write to a
 * read of the other one. rw rests on such a pair, or on nothing when the read returned the initial value. The forced
 * edges of those paths rest on hb reasons, each within the observations of one thread. */
#ifndef ASSAY_MEMORY_EXPLAIN_STORE_H
#define ASSAY_MEMORY_EXPLAIN_STORE_H

#include "memory/explaining.h"
#include "memory/partial.h"

struct store_pair {      /* the write `from` comes before `to` in the partial store order */
    uint32_t from, to;   /* from: RW_INIT for the initial write */
    uint32_t read;       /* of `to`, after `from`; ID_NONE: `from` precedes `to` itself */
    struct hb_path path; /* from `from` to `read`, or to `to` */
};

struct store_cycle {
    struct explaining *x; /* of the graph with the cycle */
    struct hb_reasons *hb;
    const struct partial *store;
    /* Why are these two writes of one variable a pair? Fills in read and path; false: they are none. */
    bool (*explain)(void *arg, struct store_pair *pair);
    void *arg;
};

/* For a search: x's facts, and the events that the store order puts before e. arg: a struct store_cycle. */
void store_cycle_causes(void *arg, struct paths *p, uint32_t e);

/* The cycle that a search found becomes a ForcedCycle. */
void store_cycle_write(struct store_cycle *y, const struct path_edge *edges, uint32_t count);

#endif
