/* SPDX-License-Identifier: Apache-2.0 */
/* A line of comma-separated values as its cells (RFC 4180). A cell in quotation marks may have separators in it; two
 * quotation marks stand for one. */
#ifndef ASSAY_FORMAT_CSV_ROW_H
#define ASSAY_FORMAT_CSV_ROW_H

#include "base/text.h"
#include "format/cursor.h"

struct csv_cell {
    const char *at;        /* in the line */
    size_t offset, length; /* of its text */
};

struct csv_row {
    struct mem *mem;
    struct text text; /* of all cells, each with a NUL behind it */
    VEC(struct csv_cell) cells;
};

/* The cells of the cursor's line, without blanks around them. */
void csv_split(struct csv_row *r, struct cursor *c, char separator);
void csv_free(struct csv_row *r);

static inline const char *csv_text(const struct csv_row *r, uint32_t cell)
{
    return r->text.at + r->cells.at[cell].offset;
}

#endif
