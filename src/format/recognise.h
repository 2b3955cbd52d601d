/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at the first bytes of a file. */
#ifndef ASSAY_FORMAT_RECOGNISE_H
#define ASSAY_FORMAT_RECOGNISE_H

#include <stdbool.h>

/* Behind a byte order mark, white space, and lines that start with `comment`; maybe `end`. */
const char *recognise_start(const char *p, const char *end, char comment);

/* Behind spaces and tabs. */
const char *recognise_blank(const char *p, const char *end);

const char *recognise_line_end(const char *p, const char *end);

/* Behind the text, where it first occurs, or NULL. */
const char *recognise_find(const char *p, const char *end, const char *text);

/* Behind the text, if it is here, or NULL. */
const char *recognise_here(const char *p, const char *end, const char *text);

#endif
