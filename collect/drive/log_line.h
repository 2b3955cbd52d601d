/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the raw log (log.h), taken apart. Nothing in it is believed. */
#ifndef ASSAY_COLLECT_DRIVE_LOG_LINE_H
#define ASSAY_COLLECT_DRIVE_LOG_LINE_H

#include "collect/drive/workload.h"

struct log_line {
    char kind; /* n c o a u f r m s e, as in log.h; @: a header */
    unsigned session;
    int64_t time;
    unsigned node;    /* n, m */
    const char *text; /* a, u, m: the message; f: the name; @: the header */
    bool on;          /* f; s: agreed */
    char *answers;    /* o: for log_line_answers */
};

/* Takes the line apart, which it changes; a call's accesses go to `accesses`, their number to *n. NULL: well; else the
 * expected text. */
const char *log_line_parse(char *line, const struct workload *w, unsigned keys, struct log_line *out,
                           assay_access *accesses, size_t *n);
/* The answers of a call that was committed. */
const char *log_line_answers(const struct log_line *l, assay_access *accesses, size_t n);

#endif
