/* SPDX-License-Identifier: Apache-2.0 */
#include "report/columns.h"

#include "base/utf8.h"

#include <string.h>

enum { INDENT = 4, GAP = 3 };

struct columns columns_new(struct mem *m)
{
    return (struct columns){.mem = m};
}

static uint32_t width_of(const char *text)
{
    return (uint32_t)utf8_width(text, strlen(text));
}

void columns_head(struct columns *c, const char *name)
{
    struct column column = {mem_text(c->mem, name, strlen(name)), width_of(name)};
    vec_push(c->mem, &c->heads, column);
}

void columns_cell(struct columns *c, uint32_t row, uint32_t column, const char *text)
{
    struct column_cell cell = {row, column, mem_text(c->mem, text, strlen(text))};
    uint32_t width = width_of(text), *widest = &c->heads.at[column].width;
    *widest = width > *widest ? width : *widest;
    vec_push(c->mem, &c->cells, cell);
}

uint32_t columns_width(const struct columns *c)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < c->heads.n; i++)
        width += c->heads.at[i].width + (i ? GAP : 0);
    return width;
}

static void blank(struct text *out, uint32_t n)
{
    while (n--)
        text_char(out, ' ');
}

/* Moves on from `at`, the end of the written text, to the start of a column. Blanks at the end of a line are never
 * written. */
static void move_to(const struct columns *c, uint32_t column, uint32_t *at, struct text *out)
{
    uint32_t start = INDENT;
    for (uint32_t i = 0; i < column; i++)
        start += c->heads.at[i].width + GAP;
    blank(out, start - *at);
    *at = start;
}

static void write_heads(const struct columns *c, struct text *out)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->heads.n; i++) {
        const char *name = c->heads.at[i].head;
        if (!*name)
            continue;
        move_to(c, i, &at, out);
        text_printf(out, c->bold ? "\033[1m%s\033[0m" : "%s", name);
        at += width_of(name);
    }
    text_char(out, '\n');
}

void columns_write(const struct columns *c, struct text *out)
{
    uint32_t at = 0;
    write_heads(c, out);
    for (uint32_t i = 0; i < c->cells.n; i++) {
        const struct column_cell *cell = &c->cells.at[i];
        move_to(c, cell->column, &at, out);
        text_puts(out, cell->text);
        at += width_of(cell->text);
        if (i + 1 < c->cells.n && c->cells.at[i + 1].row == cell->row)
            continue;
        text_char(out, '\n');
        at = 0;
    }
}
