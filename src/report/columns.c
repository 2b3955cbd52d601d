/* SPDX-License-Identifier: Apache-2.0 */
#include "report/columns.h"

#include "base/utf8.h"
#include "report/abbreviate.h"

#include <string.h>

enum { INDENT = 4, GAP = 3, LEAST_GAP = 2, HANGING = 4 /* of further lines of a cell, as wide as `txn(` */ };

struct columns columns_new(struct mem *m)
{
    return (struct columns){.mem = m, .gap = GAP};
}

static uint32_t width_of(const char *text)
{
    return (uint32_t)utf8_width(text, strlen(text));
}

void columns_head(struct columns *c, const char *name)
{
    struct column column = {mem_text(c->mem, name, strlen(name)), width_of(name), abbreviate_least(name)};
    vec_push(c->mem, &c->heads, column);
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void columns_cell(struct columns *c, uint32_t row, uint32_t column, const char *text)
{
    struct column_cell cell = {row, column, mem_text(c->mem, text, strlen(text)), NULL};
    struct column *head = &c->heads.at[column];
    head->width = most(head->width, width_of(text));
    head->least = most(head->least, column ? abbreviate_least(text) : width_of(text));
    vec_push(c->mem, &c->cells, cell);
}

/* The bytes of the text up to its first comma and blank, with them. */
static size_t piece(const char *text)
{
    const char *comma = strstr(text, ", ");
    return comma ? (size_t)(comma - text) + 2 : strlen(text);
}

/* Without the blank behind it. */
static uint32_t piece_width(const char *text)
{
    size_t n = piece(text);
    return (uint32_t)utf8_width(text, n && text[n - 1] == ' ' ? n - 1 : n);
}

void columns_brief(struct columns *c, const char *brief)
{
    struct column_cell *cell = &vec_last(&c->cells);
    struct column *head = &c->heads.at[cell->column];
    bool shorter = width_of(brief) < width_of(cell->text);
    cell->brief = shorter ? mem_text(c->mem, brief, strlen(brief)) : cell->text;
    for (const char *at = cell->brief; *at; at += piece(at))
        head->least = most(head->least, piece_width(at) + (at > cell->brief ? HANGING : 0));
}

static uint32_t capped(const struct column *c, uint32_t cap)
{
    return c->width <= cap ? c->width : most(cap, c->least);
}

/* Of a line, if no column that can be narrower has more than `cap`. */
static uint32_t width_with(const struct columns *c, uint32_t cap)
{
    uint32_t width = INDENT;
    for (uint32_t i = 0; i < c->heads.n; i++)
        width += capped(&c->heads.at[i], cap) + (i ? c->gap : 0);
    return width;
}

static void narrow(struct columns *c, uint32_t page)
{
    uint32_t low = 0, high = page; /* low fits, and high does not */
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (width_with(c, middle) <= page)
            low = middle;
        else
            high = middle;
    }
    for (uint32_t i = 0; i < c->heads.n; i++)
        c->heads.at[i].width = capped(&c->heads.at[i], low);
}

bool columns_fit(struct columns *c, uint32_t page)
{
    while (c->gap > LEAST_GAP && width_with(c, UINT32_MAX) > page)
        c->gap--;
    if (width_with(c, 0) > page)
        return false;
    if (width_with(c, UINT32_MAX) > page)
        narrow(c, page);
    return true;
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
        start += c->heads.at[i].width + c->gap;
    blank(out, start - *at);
    *at = start;
}

/* Returns the columns that it took. */
static uint32_t put(const struct columns *c, uint32_t column, const char *text, bool bold, struct text *out)
{
    struct text cell = text_in(c->mem);
    abbreviate(&cell, text, c->heads.at[column].width);
    text_printf(out, bold ? "\033[1m%s\033[0m" : "%s", text_get(&cell));
    uint32_t width = width_of(text_get(&cell));
    mem_free(c->mem, cell.at);
    return width;
}

static void write_heads(const struct columns *c, struct text *out)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->heads.n; i++) {
        const char *name = c->heads.at[i].head;
        if (!*name)
            continue;
        move_to(c, i, &at, out);
        at += put(c, i, name, c->bold, out);
    }
    text_char(out, '\n');
}

/* On as many lines as it needs, broken behind commas. */
static void put_lines(const struct columns *c, uint32_t column, const char *text, uint32_t *at, struct text *out)
{
    uint32_t room = c->heads.at[column].width, used = 0;
    for (const char *p = text; *p; p += piece(p)) {
        uint32_t more = piece_width(p) + (p > text);
        if (p > text && used + more > room) {
            text_char(out, '\n');
            *at = 0;
            move_to(c, column, at, out);
            blank(out, HANGING);
            used = HANGING - 1;
            *at += HANGING;
        } else if (p > text) {
            text_char(out, ' ');
            ++*at;
        }
        uint32_t width = piece_width(p);
        size_t n = piece(p);
        text_add(out, p, n && p[n - 1] == ' ' ? n - 1 : n);
        used += width + (p > text);
        *at += width;
    }
}

void columns_write(const struct columns *c, struct text *out)
{
    uint32_t at = 0;
    write_heads(c, out);
    for (uint32_t i = 0; i < c->cells.n; i++) {
        const struct column_cell *cell = &c->cells.at[i];
        move_to(c, cell->column, &at, out);
        if (!cell->brief || width_of(cell->text) <= c->heads.at[cell->column].width)
            at += put(c, cell->column, cell->text, false, out);
        else
            put_lines(c, cell->column, cell->brief, &at, out);
        if (i + 1 < c->cells.n && c->cells.at[i + 1].row == cell->row)
            continue;
        text_char(out, '\n');
        at = 0;
    }
}
