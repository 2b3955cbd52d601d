/* SPDX-License-Identifier: Apache-2.0 */
/* A column of numbers as one JSON text, which scripts decode into a typed array without an object per number.
 *
 * A number is written in digits of five bits, the lowest first; a digit of 32 or more says that another one follows.
 * The digits are the letters of base 64. Two kinds of columns:
 *   table numbers   the first number is how many entries the table had. Then 0 is none, 1 is a new entry, and 1 + k is
 *                   the entry that came k before the next new one: new and recent entries take one digit
 *   any numbers     n >= 0 is 2n, n < 0 is -2n - 1
 * Source: variable-length quantities, as of MIDI files. web/columns.js is the reader. */
#ifndef ASSAY_REPORT_HTML_COLUMN_H
#define ASSAY_REPORT_HTML_COLUMN_H

#include "base/text.h"

struct html_column {
    struct text *out;
    int64_t next; /* of table numbers: that of a new entry */
};

/* Begins `,"name":"...`. */
struct html_column html_column(struct text *out, const char *name, uint32_t known);
void html_entry(struct html_column *c, int64_t number); /* -1: none; else at most one more than all before */

struct html_column html_numbers(struct text *out, const char *name);
void html_number(struct html_column *c, int64_t number);

void html_column_end(struct html_column *c);

#endif
