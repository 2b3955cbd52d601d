/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a picture of a result: boxes, arrows and texts at whole-numbered places, in units of a pixel. The
 * reports that draw (svg.c, tikz.c) differ only in how they write these down.
 *
 * There are two kinds of pictures. On a grid each thread is a column, and its operations stand below each other in
 * program order; arrows are the steps of the refutation. On a time line each thread is a lane, and an operation is a
 * bar from its call to its return. Times are ordinal: events keep their order, and a bar is as wide as its text needs.
 * Calls of objects with real time are drawn on a time line, everything else on a grid.
 *
 * Invariant: boxes do not overlap, a text in a box fits into it, and a label of an arrow touches no box. All texts are
 * fit to be shown (base/shown.h); escaping for the format is left to the report. */
#ifndef ASSAY_REPORT_LAYOUT_H
#define ASSAY_REPORT_LAYOUT_H

#include "base/text.h"
#include "base/vec.h"
#include "evidence/evidence.h"

#include <stdbool.h>

enum {
    LAYOUT_LINE = 16,  /* the height of a line of text in a box */
    LAYOUT_PLACE = 13, /* of the place above it */
    LAYOUT_PAD = 6,    /* between a box and its text */
    LAYOUT_MARGIN = 14,
    LAYOUT_HEAD = 26, /* of a thread's name */
    LAYOUT_BENDS = 4, /* points of an arrow, at most */
    LAYOUT_LABEL_HEIGHT = 14,
    LAYOUT_NOTE = 18, /* the height of a line below the picture */
};

struct layout_point {
    int x, y;
};

enum layout_weight {
    LAYOUT_DIM,   /* only there for the context */
    LAYOUT_PLAIN, /* the refutation mentions it */
    LAYOUT_STRONG /* the refutation is about it */
};

struct layout_box {
    uint32_t op;
    int x, y, width, height;
    enum layout_weight weight;
    bool open;         /* pending: its right or lower end is not closed */
    const char *place; /* line 3 */
    const char **lines;
    uint32_t n;        /* lines: one, or one for each access of a transaction */
    const char *whole; /* the operation, not abbreviated */
};

struct layout_edge {
    assay_rule rule;
    uint32_t from, to; /* boxes */
    bool in_cycle;
    struct layout_point at[LAYOUT_BENDS];
    uint32_t n;
    struct layout_point label; /* its middle */
};

struct layout_thread { /* its name, and a line behind its boxes */
    const char *name;
    int x, y; /* the middle of the name; on a time line its left end */
    struct layout_point from, to;
};

struct layout {
    struct mem *mem;
    bool is_time_line;
    int width, height;
    int bottom; /* of the boxes and arrows; rules and notes stand below */
    VEC(struct layout_thread) threads;
    VEC(struct layout_box) boxes;
    VEC(struct layout_edge) edges;
    VEC(assay_rule) rules;   /* that the arrows have, each once */
    VEC(const char *) notes; /* sentences below the picture */
};

struct layout layout_of(const result *r, struct mem *m);

/* The rule in words, for the legend. */
const char *layout_rule_title(assay_rule rule);
/* A title for programs that read pictures aloud: "a.hist: violation of cc (causal consistency): WriteCOInitRead". The
 * description has the pattern and the cycle. */
void layout_title(struct text *t, const result *r, const assay_report_options *options);
void layout_description(struct text *t, const result *r);

const char *layout_thread_name(struct layout *l, const history *h, uint32_t thread); /* perhaps abbreviated */

/* How wide a text of a box is, and a label of an arrow. */
int layout_text_width(const char *text);
int layout_label_width(assay_rule rule);

/* The places of all boxes, threads and arrows: called by layout_of once the sizes of the boxes are known. */
void layout_grid(struct layout *l, const result *r);
void layout_time_line(struct layout *l, const result *r);
/* The places of the labels: called when everything else stands. */
void layout_labels(struct layout *l);

#endif
