/* SPDX-License-Identifier: Apache-2.0 */
/* The forced order: the least relation "must come before" that every total order of the writes of each variable (ww)
 * has to respect. It is kept closed while further orders are assumed and taken back.
 *
 * There are one or two graphs over the same events. Sequential consistency has one: po, wr, ww, rw. TSO and PSO have
 * two: ppo and external wr, and po per variable with all wr. A store order belongs to both. Let v and w be writes of
 * one variable, and let x <g y mean that y is reachable from x in graph g. The rules:
 *   CF   v <g r, r reads from w, v != w     gives  v -> w
 *   WW   v <g w                             gives  v -> w in the other graph
 *   RW   v <g w, r reads from v, r != w     gives  r -> w
 * A cycle in any graph refutes. The least relations closed under these are wSC's hb and wTSO's hb1 and hb2.
 * An rmw is one event that reads and writes; the rules make its source its immediate predecessor.
 *
 * Idea. Each graph is cut into chains, so the past of an event is a clock, one position per lane. A clock only grows.
 * When a lane grows, the rules need only the last write of the event's variable in that lane (earlier ones precede it).
 * Events whose clocks grew wait in a set ordered by a topological rank of po U wr; `fresh` has the lanes that grew.
 * Every change is on a trail, so that assumptions can be taken back.
 *
 * Invariant (when forced_close returned true): all clocks are closed under edges, no rule yields a new edge,
 * nothing is fresh. The edges are in order of derivation: each rests on fixed edges and earlier ones.
 *
 * Source: wSC and wTSO of the thesis (sections 4.2, 5.2) with the corrections of docs/reference/models-formal.md. The
 * rules are those of TSOtool and of Gibbons and Korach; clocks instead of matrices are ours. */
#ifndef ASSAY_MEMORY_FORCED_ORDER_H
#define ASSAY_MEMORY_FORCED_ORDER_H

#include "base/budget.h"
#include "base/dirty.h"
#include "base/stats.h"
#include "memory/frame.h"

enum forced_rule { FORCED_CF, FORCED_WW, FORCED_RW, FORCED_FINAL, FORCED_CASE };

struct forced_edge {
    uint32_t from, to;
    uint32_t read;              /* CF, RW: the read, an access; CASE: the tag of forced_assume */
    uint32_t next_out, next_in; /* further edges of the same from, to; ID_NONE ends */
    uint8_t rule, graph;        /* graph: where the premise holds */
};

struct forced_graph {
    struct chains chains;
    const uint32_t *lane; /* event -> lane of the clocks */
    uint32_t lanes;
    uint32_t *clock;            /* clock[e * lanes + l]: how many events of lane l precede e */
    uint64_t *fresh;            /* event -> lanes that grew, modulo 64 */
    uint32_t *group_lane;       /* rw group -> lane */
    uint32_t *write_at;         /* beside rw->idx: the write's position in its chain */
    uint32_t *hint;             /* group, thread -> where the last search in the group ended */
    uint32_t *fixed_at, *fixed; /* edges that always hold, beside the chains: out of e, fixed[fixed_at[e]] .. */
};

struct forced_change {
    uint32_t *cell;
    uint32_t old;
};

/* Where events are those of transactions (transaction/txn_events.h): the rule of an edge that holds in any case,
 * between events of two operations. Steps within an operation, and through events of none, are not part of a proof. */
struct forced_facts {
    assay_rule (*rule)(void *arg, uint32_t from, uint32_t to);
    void *arg;
};

struct forced_order {
    const struct rw *v;
    const uint32_t *guess;     /* when events seem to have happened, for without_rw */
    struct forced_facts facts; /* to be set after forced_init; rule NULL: the events of a memory */
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    uint32_t graphs;
    struct forced_graph graph[2];
    const uint32_t *rank, *by_rank; /* a topological order of po U wr */
    struct groups last_readers;     /* of each write, one per thread */
    VEC(struct forced_edge) edges;
    uint32_t *out, *in; /* event -> its latest edge, or ID_NONE */
    struct dirty dirty; /* ranks */
    VEC(struct forced_change) trail;
    bool trailing;   /* changes are recorded */
    bool without_rw; /* readers that write nothing need not come before later writes: parallel snapshot isolation. To be
                      * set after forced_init */
    bool tracking;   /* events of the first graph whose clocks grew are listed in `touched` */
    VEC(uint32_t) touched;
    uint32_t conflict, conflict_graph; /* an event that precedes itself, or ID_NONE */
};

struct forced_mark {
    uint32_t trail, edges;
};

/* order: the events, sorted by po U wr; position: its inverse. They must outlive the forced order. */
void forced_init(struct forced_order *w, const struct rw *v, enum buffering memory, const uint32_t *order,
                 const uint32_t *position, struct mem *m, struct budget *budget, struct stats *stats);

/* The declared final values: all other writes of the variable come before the last one. */
void forced_final(struct forced_order *w);

/* Applies the rules until nothing changes. False: a cycle; `conflict` is on it. */
bool forced_close(struct forced_order *w);
bool forced_close_fixed(struct forced_order *w); /* the clocks of the fixed edges alone: no rule is applied */

/* Assumes that v comes before x in the store order; call forced_close next. `tag` is kept as the edge's read. */
void forced_assume(struct forced_order *w, uint32_t v, uint32_t x, uint32_t tag);

struct forced_mark forced_mark(struct forced_order *w); /* changes are recorded from now on */
void forced_undo(struct forced_order *w, struct forced_mark mark);

static inline bool forced_before(const struct forced_order *w, uint32_t graph, uint32_t a, uint32_t b)
{
    const struct forced_graph *g = &w->graph[graph];
    return g->clock[(size_t)b * g->lanes + g->lane[a]] > g->chains.at[a];
}

/* Is v before w in the store order, for writes of one variable? Both graphs agree once closed. */
static inline bool forced_stored(const struct forced_order *w, uint32_t v, uint32_t x)
{
    return forced_before(w, 0, v, x);
}

#endif
