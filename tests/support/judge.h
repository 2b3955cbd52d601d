/* SPDX-License-Identifier: Apache-2.0 */
/* A judge of evidence that shares no idea with recheck: it knows no clocks and no sorting, only
 * small histories and matrices of the relations as they are defined. */
#ifndef ASSAY_TESTS_SUPPORT_JUDGE_H
#define ASSAY_TESTS_SUPPORT_JUDGE_H

#include "evidence/evidence.h"

enum { MOST = 48, NOBODY = -2, INITIAL = -1 };

struct op {
    int thread;
    bool reads, writes, pending, part;
    uint32_t var;
    int64_t old, new;
    int src; /* an operation, INITIAL, NOBODY */
};

struct world {
    history *h;
    int n, threads;
    struct op op[MOST];
    bool po[MOST][MOST], co[MOST][MOST], hb[MOST][MOST][MOST]; /* hb[thread] */
    char digest[17];
};

/* Of a memory history with one object, integer values and initial values 0. The history belongs to
 * the world from now on. */
struct world *world_of(history *h);
void world_free(struct world *w);

/* The definitions of the models. */
bool world_is_cc(struct world *w);
bool world_is_ccv(struct world *w);
bool world_is_cm(struct world *w);
bool world_no_thin_air(const struct world *w);

/* Does the line prove its verdict? */
bool judge(const struct world *w, const struct evidence_line *l);
/* Is it an order of its thread? */
bool judge_thread(const struct world *w, const struct evidence *ev, const struct order *o);

/* ---- recheck and the judge side by side ---- */

struct attempt {
    const struct world *w;
    const char *line;
    struct mem mem; /* for the caller to release */
    struct evidence_line parsed;
    bool readable, accepted;
    assay_error error;
};

struct attempt run_line(const struct world *w, const char *line);

/* Is the line that was read the original in other words, but for the index? */
bool same_claim(struct attempt *a, const char *original);

#endif
