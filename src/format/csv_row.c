/* SPDX-License-Identifier: Apache-2.0 */
#include "format/csv_row.h"

static void quoted(struct csv_row *r, struct cursor *c)
{
    const char *open = c->p++;
    for (;; c->p++) {
        if (c->p == c->line.end)
            FAULT(c, open, "expected a closing quotation mark: a cell ends within its line");
        if (*c->p == '"' && *++c->p != '"')
            return;
        text_char(&r->text, *c->p);
    }
}

static void bare(struct csv_row *r, struct cursor *c, char separator)
{
    const char *from = c->p;
    while (c->p != c->line.end && *c->p != separator)
        c->p++;
    const char *to = c->p;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    text_add(&r->text, from, (size_t)(to - from));
}

/* Blanks around a cell say nothing; a tab may be the separator. */
static void blanks(struct cursor *c, char separator)
{
    while ((*c->p == ' ' || *c->p == '\t') && *c->p != separator)
        c->p++;
}

void csv_split(struct csv_row *r, struct cursor *c, char separator)
{
    r->text.n = 0;
    vec_clear(&r->cells);
    for (;; c->p++) {
        blanks(c, separator);
        struct csv_cell cell = {.at = c->p, .offset = r->text.n};
        if (*c->p == '"')
            quoted(r, c);
        else
            bare(r, c, separator);
        blanks(c, separator);
        cell.length = r->text.n - cell.offset;
        text_char(&r->text, '\0');
        vec_push(r->mem, &r->cells, cell);
        if (c->p == c->line.end)
            return;
        if (*c->p != separator)
            FAULT(c, c->p, "expected `%c` or the end of the line behind a cell in quotation marks", separator);
    }
}

void csv_free(struct csv_row *r)
{
    mem_free(r->mem, r->text.at);
    vec_free(r->mem, &r->cells);
}
