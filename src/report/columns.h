/* SPDX-License-Identifier: Apache-2.0 */
/* A table of texts, for people: a column per thread, wide enough for its cells. Cells are given row by row, from left
 * to right, with blanks between them. */
#ifndef ASSAY_REPORT_COLUMNS_H
#define ASSAY_REPORT_COLUMNS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

struct column {
    const char *head; /* "" for a column without a name */
    uint32_t width;   /* on a terminal */
};

struct column_cell {
    uint32_t row, column;
    const char *text;
};

struct columns {
    struct mem *mem;
    bool bold; /* the heads, on a terminal that can */
    VEC(struct column) heads;
    VEC(struct column_cell) cells;
};

struct columns columns_new(struct mem *m);
void columns_head(struct columns *c, const char *name);                                /* the next column; copied */
void columns_cell(struct columns *c, uint32_t row, uint32_t column, const char *text); /* copied */
uint32_t columns_width(const struct columns *c); /* of a line, without its indent */
void columns_write(const struct columns *c, struct text *out);

#endif
