/* SPDX-License-Identifier: Apache-2.0 */
/* A table of texts, for people: a column per thread, wide enough for its cells. Cells are given row by row, from left
 * to right, with blanks between them. A table that is wider than its page has narrower columns, whose texts are
 * abbreviated (abbreviate.h), or broken behind commas if they must not be cut (columns_brief). The first column keeps
 * its width: it has the places in the file. */
#ifndef ASSAY_REPORT_COLUMNS_H
#define ASSAY_REPORT_COLUMNS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

struct column {
    const char *head; /* "" for a column without a name */
    uint32_t width;   /* on a terminal */
    uint32_t least;   /* to which it can be made narrower */
};

struct column_cell {
    uint32_t row, column;
    const char *text;
    const char *brief; /* instead of it where it does not fit, on several lines if need be; NULL: it is abbreviated */
};

struct columns {
    struct mem *mem;
    bool bold;    /* the heads, on a terminal that can */
    uint32_t gap; /* between columns */
    VEC(struct column) heads;
    VEC(struct column_cell) cells;
};

struct columns columns_new(struct mem *m);
void columns_head(struct columns *c, const char *name);                                /* the next column; copied */
void columns_cell(struct columns *c, uint32_t row, uint32_t column, const char *text); /* copied */
void columns_brief(struct columns *c, const char *brief);                              /* of the last cell; copied */
/* Makes columns narrower until a line, with its indent, has so many columns at most. False: it cannot be done. */
bool columns_fit(struct columns *c, uint32_t page);
void columns_write(const struct columns *c, struct text *out);

#endif
