/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of explain.h and explain_ccm.h: searches for short paths along an order of the history, and the steps of
 * evidence that they become. Some edges of a path rest on reasons; these are written before it.
 *
 * The order is program order, or one of the two that store buffers leave of it, cut into chains (memory/frame.h). */
#ifndef ASSAY_MEMORY_EXPLAINING_H
#define ASSAY_MEMORY_EXPLAINING_H

#include "engine/engine.h"
#include "memory/force.h"
#include "memory/frame.h"
#include "memory/path.h"

struct explaining {
    struct job *job;
    const struct rw *v;
    struct evidence *ev;
    assay_rule rule;       /* of the order: po, ppo or loc */
    bool external;         /* wr counts between threads only */
    struct groups between; /* edges of the order between chains: their starts, by their ends; none in po */
    struct paths paths;    /* the search; it follows the order and wr, and the edges that hb_reasons_look adds */
    struct groups readers; /* of each write, once needed */
};

struct ground { /* the premise of an edge */
    assay_rule rule;
    uint32_t reason;
};

/* A violation is to be explained; the search follows po and wr, or the order of the frame and its wr. */
void explaining_begin(struct explaining *x, struct job *job);
void explaining_begin_frame(struct explaining *x, struct job *job, const struct frame *frame, assay_rule rule);

/* For other searches: the events that the history itself puts before e, beyond its chain. */
void explaining_offer(const struct explaining *x, struct paths *p, uint32_t e);
/* Is it such an edge, and if so, with which ground? */
bool explaining_is_fact(const struct explaining *x, struct path_edge edge, struct ground *ground);

void explaining_step(struct explaining *x, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason);
/* The edges with the order of chains between them. grounds[i] is that of edge i unless it is a fact; NULL: all are. */
void explaining_path(struct explaining *x, uint32_t from, uint32_t to, const struct path_edge *edges, uint32_t count,
                     const struct ground *grounds);

/* Of the first readers of w that have v in their past, the one with the shortest way from v. */
uint32_t explaining_reader(struct explaining *x, const struct pasts *past, uint32_t v, uint32_t w);

/* ---- reasons of forced edges ---- */

struct hb_path { /* in hb_reasons.pool */
    struct explaining *x;
    uint32_t at, count;
};

struct hb_need { /* an edge that the refutation uses, and why it holds */
    uint32_t edge;
    struct hb_path path;
};

struct hb_reasons {
    struct mem *m;
    const struct observed_edge *edges;
    uint32_t count, split; /* edges below `split` were derived in the order of home[0], the others in that of home[1] */
    struct explaining *home[2];
    struct groups into;              /* numbers of edges, by their w */
    uint32_t *reason_of;             /* edge -> 0: not needed, 1: needed, else its reason's number + 2 */
    struct explaining *x;            /* where is searched, with the edges first .. limit - 1 */
    uint32_t first, limit, observer; /* of this thread's reads; ID_NONE: of all */
    VEC(struct hb_need) needs;
    VEC(struct path_edge) pool;
    VEC(uint32_t) numbers; /* of the edges in the pool; ID_NONE: a fact */
};

/* The edges are in the order they were derived, thread by thread. From now on x's search follows them, too. */
void hb_reasons_init(struct hb_reasons *h, struct explaining *x, const struct observed_edge *edges, uint32_t count);
/* For edges derived in two orders: nothing is searched yet. */
void hb_reasons_init_two(struct hb_reasons *h, struct explaining home[2], const struct observed_edge *edges,
                         uint32_t count, uint32_t split);

/* From now on x's search follows the edges first .. limit - 1, too. */
void hb_reasons_look(struct hb_reasons *h, struct explaining *x, uint32_t first, uint32_t limit);

/* Keeps the path, or cycle, that the search has just found: its edges need reasons. */
struct hb_path hb_reasons_keep(struct hb_reasons *h);

/* Writes the reasons of all paths kept; then the paths can become steps. */
void hb_reasons_write(struct hb_reasons *h);
void hb_reasons_path(struct hb_reasons *h, uint32_t from, uint32_t to, struct hb_path path);

/* Whole refutations. The first: a cycle of the order and the edges, above done[chain]. The second: a read of the
 * initial value that the order and the edges put behind the write `later`. */
void hb_reasons_cycle(struct hb_reasons *h, const uint32_t *done, uint32_t on_cycle, enum pattern pattern);
void hb_reasons_initial(struct hb_reasons *h, uint32_t read, uint32_t later, enum pattern pattern);

#endif
