/* SPDX-License-Identifier: Apache-2.0 */
/* A small history as nodes and relations, for the engine `brute`.
 *
 * Every relation is a row of 64 bits per node: b is in rel[a] when a comes before b. The nodes are
 * the operations that take part, then one initial write for each variable; fences are no nodes.
 *
 * Invariant: nodes of one thread have ascending numbers, in program order. */
#ifndef ASSAY_BASELINE_BRUTE_GRAPH_H
#define ASSAY_BASELINE_BRUTE_GRAPH_H

#include "engine/engine.h"

enum { MOST_NODES = 64 };

typedef uint64_t set; /* of nodes */

struct node {
    uint32_t op; /* ID_NONE: an initial write, in no thread */
    uint32_t thread;
    uint32_t object; /* object and key together name the variable */
    struct value key;
    bool reads, writes, pending;
    struct value read, written;
    uint32_t source; /* the node it reads from */
};

struct graph {
    const history *h;
    set operations[MOST_NODES]; /* of an operation: those after it in program order, fences included */
    struct node node[MOST_NODES];
    uint32_t n;
    set po[MOST_NODES], wr[MOST_NODES];
    set co[MOST_NODES];      /* (po U wr)+ */
    set writers[MOST_NODES]; /* of a node: the writes of the variable it accesses, itself included */
    set reads, writes;       /* the nodes that do; an rmw is in both */
    set initial;             /* the initial writes */
    set external;            /* the nodes that read a write of another thread */
};

/* The view of a model: some of po and some of wr. */
struct view {
    set order[MOST_NODES], wr[MOST_NODES];
};

/* A model asks its question of one view or of two at once. */
struct views {
    uint32_t n;
    struct view at[2];
};

enum buffers { NO_BUFFERS, BUFFER_PER_THREAD, BUFFER_PER_VARIABLE };

static inline set just(uint32_t i)
{
    return (set)1 << i;
}

static inline bool has(set s, uint32_t i)
{
    return s >> i & 1;
}

/* Takes one element out of *s. */
static inline uint32_t take(set *s)
{
    uint32_t i = (uint32_t)__builtin_ctzll(*s);
    *s &= *s - 1;
    return i;
}

/* The nodes and all relations. False: *thin reads a value without a write, and there are no relations. Escapes when the
 * history has too many variables. */
bool graph_build(struct graph *g, struct job *job, uint32_t *thin);

/* NO_BUFFERS: all of po and wr. With store buffers there are two views: the preserved part of po with wr between
 * threads, and po on one variable with all of wr. */
struct views graph_views(const struct graph *g, enum buffers buffers);

/* The binding of the variable in a list: its own, else that of all variables; a later binding counts more. False: there
 * is none. */
bool graph_binding(const struct binding *list, uint32_t n, struct value key, struct value *value);
/* The initial value: the declared one, else 0. */
struct value graph_initial_value(const history *h, struct value key);

/* (order U wr U store U rw[store])+ in the view; store NULL: (order U wr)+. */
void graph_closed(const struct graph *g, const struct view *v, const set *store, set *rel);

void rows_close(set *rel, uint32_t n);
bool rows_cyclic(const set *closed, uint32_t n);
void rows_unite(set *into, const set *rel, uint32_t n);
set rows_before(const set *rel, uint32_t n, uint32_t b); /* the nodes that come before b */

/* The writes v, other than the source of r, that rel puts before r: cf[rel] leads from them to that
 * source. */
set graph_rivals(const struct graph *g, const set *rel, uint32_t r);
/* The writes that rel puts after the source of r: rw[rel] leads from r to them. */
set graph_overwriters(const struct graph *g, const set *rel, uint32_t r);

/* Add the consequences of rel: cf through these reads, rw, and rel itself on writes of one variable. */
void graph_add_cf(const struct graph *g, const set *rel, set reads, set *into);
void graph_add_rw(const struct graph *g, const set *rel, set *into);
void graph_add_ww(const struct graph *g, const set *rel, set *into);

#endif
