/* SPDX-License-Identifier: Apache-2.0 */
/* Judging recorded runs. Most runs of a program equal an earlier one. So the form of a run is kept, and only a new
 * history is written and checked. */
#ifndef ASSAY_COLLECT_JUDGE_H
#define ASSAY_COLLECT_JUDGE_H

#include "assay_record.h"
#include "base/rows.h"
#include "collect/stress/stress.h"

struct finding { /* the first violation */
    char *text;  /* its history; malloc */
    size_t length;
    const char *pattern; /* static */
    uint64_t program;
    double at; /* on the clock of budget_now */
};

struct judge {
    const struct stress_settings *settings; /* the rest is zero at first */
    uint64_t distinct, violations, undecided;
    uint64_t last_violation; /* the program of the last one, or 0 */
    struct finding found;    /* text NULL: none. The text is the caller's to free */
    assay_error error;       /* a history could not be checked */
    bool lost;               /* a history could not be kept */
};

/* A distinct history of that program: it is kept and checked. */
void judge_see(struct judge *j, uint64_t program, const char *text, size_t length);
bool judge_wants_more(const struct judge *j); /* no violation so far, or all are wanted; no error */

/* How this history is checked, in *room or elsewhere. */
const assay_options *judge_options(const struct stress_settings *s, const assay_history *h, assay_options *room);

/* A history that was written down, and its result; both are the caller's, NULL with an error. */
assay_result *judge_check(const struct stress_settings *s, const char *text, size_t length, assay_history **h,
                          assay_error *e);

/* The object and its initial content, for a history of it. */
void judge_write_headers(const assay_adapter *a, FILE *to);

/* The history on the tapes as text; malloc, NULL: no memory. And from the text to memory again; NULL with an error. */
char *judge_text(const assay_adapter *a, const assay_recorder *r, size_t *length);
assay_history *judge_read(const char *text, size_t length, assay_error *e);

/* Runs of one program that look different. */
struct distinct_runs {
    struct rows all;
    VEC(uint64_t) row; /* of the run being looked at */
};
bool judge_overlaps(const assay_recorder *r); /* two calls of different threads, in a run recorded with counters */
bool judge_is_new(struct distinct_runs *l, const assay_recorder *r, struct mem *m); /* and it is one of them now */

#endif
