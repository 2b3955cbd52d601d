/* SPDX-License-Identifier: Apache-2.0 */
/* The library against an oracle: disagreements, and the two questions in which a text is the question. */
#ifndef ASSAY_TESTS_SUPPORT_FINDING_H
#define ASSAY_TESTS_SUPPORT_FINDING_H

#include <assay.h>

#include <stdbool.h>

enum { MAX_FINDINGS = 25 };

extern int findings; /* disagreements so far */

/* Shows a disagreement about the history with this text. One of a history is enough. */
void finding(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first history of a text; NULL: it is not read, which is a finding. */
assay_history *parse(const char *text, const char *format);

/* Is the line of evidence accepted? */
bool recheck(const assay_history *h, const char *line, assay_error *e);

#endif
