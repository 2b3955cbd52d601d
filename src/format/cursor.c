/* SPDX-License-Identifier: Apache-2.0 */
#include "format/cursor.h"

#include "base/notation.h"
#include "base/utf8.h"
#include "history/last_line.h"

#include <inttypes.h>

/* ---- lines ---- */

static bool has_high_bit(const char *p, const char *end)
{
    uint64_t all = 0, eight;
    for (; end - p >= 8; p += 8) {
        memcpy(&eight, p, 8);
        all |= eight;
    }
    for (; p < end; p++)
        all |= (unsigned char)*p;
    return all & 0x8080808080808080u;
}

void cursor_begin(struct cursor *c)
{
    c->p = c->line.at;
    if (c->line.number == 1 && c->line.end - c->p >= 3 && memcmp(c->p, "\xEF\xBB\xBF", 3) == 0)
        c->p += 3;
    if (has_high_bit(c->p, c->line.end)) {
        const char *bad = utf8_fault(c->p, c->line.end);
        if (bad)
            FAULT_REMEDY(c, bad, "save the file as UTF-8, or name its format with -f", "not UTF-8 text");
    }
}

bool cursor_line(struct cursor *c)
{
    if (!input_line(c->in, &c->line, c->e))
        return false;
    cursor_begin(c);
    return true;
}

bool cursor_whole_line(struct cursor *c)
{
    if (!cursor_line(c))
        return false;
    c->open_end = c->line.unended && c->p[strspn(c->p, " \t\r")];
    return true;
}

void cursor_may_go_on(struct cursor *c, history *h, enum doubt doubt, bool latest, uint32_t op)
{
    if (!c->open_end)
        return;
    struct last_line *last = &h->last_line;
    if (!last->line) {
        struct place at = place_of(c, c->line.end);
        *last = (struct last_line){.line = at.line, .column = at.column, .doubt = doubt, .latest = latest};
        warn(c->warnings, "%s:%" PRIu64 ":%" PRIu64 ": %s", input_name(c->in), at.line, at.column, last_line_warning);
    }
    if (op != ID_NONE)
        vec_push(&h->mem, &last->ops, op);
}

/* ---- gathered lines ---- */

void pieces_add(struct pieces *p, uint32_t offset, struct place place)
{
    vec_push(p->mem, p, ((struct piece){offset, place}));
}

void pieces_clear(struct pieces *p)
{
    vec_clear(p);
}

void pieces_free(struct pieces *p)
{
    vec_free(p->mem, p);
}

struct place pieces_place(const struct pieces *p, uint64_t column)
{
    uint32_t i = p->n - 1;
    while (i && p->at[i].offset >= column)
        i--;
    return (struct place){p->at[i].place.line, p->at[i].place.column + (column - 1 - p->at[i].offset)};
}

/* ---- faults ---- */

_Noreturn void cursor_fault(struct cursor *c, const char *where)
{
    if (c->line.unended)
        error_remedy(c->e, "this is the last line, and it has no end: the file may be cut");
    if (!c->e->file[0])
        snprintf(c->e->file, sizeof c->e->file, "%s", input_name(c->in));
    struct place at = place_of(c, where);
    error_place(c->e, input_name(c->in), at.line, at.column);
    escape_raise(ESCAPE_ERROR);
}

void cursor_set_place(struct cursor *c, struct place at)
{
    error_place(c->e, input_name(c->in), at.line, at.column);
}

/* ---- warnings ---- */

void cursor_warn_number_like(struct cursor *c, struct place at, const char *word, size_t length)
{
    if (!c->warnings || c->warnings->number_like)
        return;
    c->warnings->number_like = true;
    char text[HISTORY_WARNING];
    token_number_like(word, length, text);
    warn(c->warnings, "%s:%" PRIu64 ":%" PRIu64 ": %s; further ones in this file are not mentioned", input_name(c->in),
         at.line, at.column, text);
}

/* The text of a header may lie elsewhere than in the line. */
void cursor_warn_noted(struct cursor *c, history *h)
{
    const char *word = h->number_like, *end = word;
    bool inside = (uintptr_t)word >= (uintptr_t)c->line.at && (uintptr_t)word < (uintptr_t)c->line.end;
    while (token_is_word_char((unsigned char)*end))
        end++;
    cursor_warn_number_like(c, place_of(c, inside ? word : c->p), word, (size_t)(end - word));
    h->number_like = NULL;
}

/* ---- tokens ---- */

void cursor_expect_end(struct cursor *c, const char *expected)
{
    skip_space(c);
    if (!at_end(c))
        FAULT(c, c->p, "expected %s%sthe end of the line", expected, *expected ? " or " : "");
}

int64_t cursor_integer(struct cursor *c, const char *what)
{
    const char *from = c->p, *digits = from + (*from == '-');
    int64_t integer;
    if (*digits < '0' || *digits > '9')
        FAULT(c, digits, "expected %s", what);
    if (!notation_decimal(&c->p, c->line.end, &integer))
        FAULT(c, from, "expected a number below 2^63");
    return integer;
}

struct value cursor_number(struct cursor *c, const char *what)
{
    struct value v = {.kind = ASSAY_INT};
    const char *end = c->p;
    while (token_is_word_char((unsigned char)*end))
        end++;
    if (!notation_is_hex(c->p, end)) {
        v.bits = cursor_integer(c, what);
        return v;
    }
    if (!notation_read(c->p, end, &v.bits, &v.notation))
        FAULT(c, c->p, "expected a hexadecimal number of 64 bits");
    c->p = end;
    return v;
}
