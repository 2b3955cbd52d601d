/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of explain.h and explain_ccm.h: searches for short paths among threads, and the steps of evidence that
 * they become. Some edges of a path rest on reasons; these are written before it. */
#ifndef ASSAY_ENGINE_EXPLAINING_H
#define ASSAY_ENGINE_EXPLAINING_H

#include "engine/engine.h"
#include "order/force.h"
#include "order/path.h"

struct explaining {
    struct job *job;
    const struct rw *v;
    struct evidence *ev;
    struct paths paths;    /* the search; it follows po and wr, and what hb_reasons_init adds */
    struct groups readers; /* of each write, once needed */
};

struct ground { /* what an edge rests on */
    assay_rule rule;
    uint32_t reason;
};

/* A violation is to be explained; the search follows po and wr. */
void explaining_begin(struct explaining *x, struct job *job);

void explaining_offer_wr(struct paths *p, const struct rw *v, uint32_t e); /* for other searches */
bool explaining_is_wr(const struct explaining *x, struct path_edge edge);

void explaining_step(struct explaining *x, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason);
/* The edges with program order between them. grounds[i] is that of edge i unless it is wr; NULL: all are wr. */
void explaining_path(struct explaining *x, uint32_t from, uint32_t to, const struct path_edge *edges,
                     uint32_t count, const struct ground *grounds);

/* Of the first readers of w that have v in their past, the one with the shortest way from v. */
uint32_t explaining_reader(struct explaining *x, const struct pasts *past, uint32_t v, uint32_t w);

/* ---- reasons of forced edges ---- */

struct hb_path { /* in hb_reasons.pool */
    uint32_t at, count;
};

struct hb_need { /* an edge that the refutation uses, and why it holds */
    uint32_t edge;
    struct hb_path path;
};

struct hb_reasons {
    struct explaining *x;
    const struct observed_edge *edges;
    uint32_t count;
    struct groups into;       /* numbers of edges, by their w */
    uint32_t limit, observer; /* only edges below this number, of this thread's reads, are used; ID_NONE: of all */
    uint32_t *reason_of;      /* edge -> 0: not needed, 1: needed, else its reason's number + 2 */
    VEC(struct hb_need) needs;
    VEC(struct path_edge) pool;
};

/* From now on x's search follows the edges, too. They are in the order they were derived, thread by thread. */
void hb_reasons_init(struct hb_reasons *h, struct explaining *x, const struct observed_edge *edges, uint32_t count);

/* Keeps the path, or cycle, that the search has just found: its edges need reasons. */
struct hb_path hb_reasons_keep(struct hb_reasons *h);
struct path_edge hb_reasons_first(const struct hb_reasons *h, struct hb_path path);

/* Writes the reasons of all paths kept; then the paths can become steps. */
void hb_reasons_write(struct hb_reasons *h);
void hb_reasons_path(struct hb_reasons *h, uint32_t from, uint32_t to, struct hb_path path);

#endif
