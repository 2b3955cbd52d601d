/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest paths and cycles among chains: the order of a chain for free, other edges found by the caller.
 *
 * Idea: within a chain (a thread, for program order) one jump reaches any later event. So the events that can reach an
 * event are, per chain, all events up to some position: only the largest matters. The search goes backwards, breadth
 * first by the number of edges that are not of a chain; each event is visited once.
 *
 * Source: breadth-first search; the one-position-per-chain argument is that of chain (vector) clocks. */
#ifndef ASSAY_MEMORY_PATH_H
#define ASSAY_MEMORY_PATH_H

#include "memory/chains.h"

struct path_edge { /* from -> to, an edge that is not of a chain */
    uint32_t from, to;
};

struct path_record { /* everything up to `from` reaches the end, by an edge to `to` and then the parent's way */
    uint32_t from, to, parent;
    uint32_t edges;
};

struct paths {
    struct chains chains;
    struct mem *m;
    /* Calls path_offer for each event with an edge to e. */
    void (*causes)(void *arg, struct paths *p, uint32_t e);
    void *arg;
    uint64_t looked_at; /* events, over all searches: lets callers bound their work */

    VEC(struct path_edge) found; /* the last path, from its start to its end */

    /* the search */
    uint32_t *reach;       /* per chain: events below this position have been reached */
    const uint32_t *floor; /* per chain: events below this position are left out; or NULL */
    VEC(struct path_record) records;
    uint32_t current; /* record whose events are being looked at */
};

void paths_init(struct paths *p, struct chains chains, struct mem *m);

/* To be called by `causes`: there is an edge from -> to. */
void path_offer(struct paths *p, uint32_t from, uint32_t to);

/* A path from -> to with fewest edges, at most `most` of them. With from == to it is a cycle through an event at or
 * before `to` in its chain. (The events of a chain up to `to` count as one.) The edges go to p->found; between them
 * runs a chain. A path within a chain has no edges. False: there is none. */
bool path_find(struct paths *p, uint32_t from, uint32_t to, uint32_t most);

void path_must_find(struct paths *p, uint32_t from, uint32_t to); /* the path exists */

/* A short cycle among the events not below done[chain]; on_cycle must be on a cycle. It is the shortest one if a
 * bounded effort covers all events, else the shortest of the cycles found by then. */
void cycle_find(struct paths *p, const uint32_t *done, uint32_t on_cycle);

#endif
