/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/columns.h"

#include <stdlib.h>

static const char *edge(const struct bench *b)
{
    return b->set->markdown ? "|" : "";
}

static void print_cell(const struct bench *b, const struct column *c, const char *text)
{
    fprintf(b->set->out, " %*s %s", c->width, text, edge(b));
}

void columns_print_head(const struct bench *b, const struct column *columns, size_t n)
{
    FILE *out = b->set->out;
    fprintf(out, "\n%s", edge(b));
    for (const struct column *c = columns; c < columns + n; c++)
        print_cell(b, c, c->title);
    fprintf(out, "\n%s", edge(b));
    for (const struct column *c = columns; c < columns + n; c++) {
        bool number = c->width > 0 && b->set->markdown;
        fputc(b->set->markdown ? '-' : ' ', out);
        for (int i = abs(c->width); i > 0; i--)
            fputc('-', out);
        fprintf(out, "%c%s", number ? ':' : b->set->markdown ? '-' : ' ', edge(b));
    }
    fputc('\n', out);
}

void columns_print_row(const struct bench *b, const struct column *columns, size_t n, char cells[][COLUMN_CELL])
{
    fputs(edge(b), b->set->out);
    for (size_t i = 0; i < n; i++)
        print_cell(b, &columns[i], cells[i]);
    fputc('\n', b->set->out);
}
