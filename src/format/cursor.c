/* SPDX-License-Identifier: Apache-2.0 */
#include "format/cursor.h"

#include "base/utf8.h"

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
            FAULT_REMEDY(c, bad, "save the file as UTF-8, or name its format with -f",
                         "not UTF-8 text");
    }
}

bool cursor_line(struct cursor *c)
{
    if (!input_line(c->in, &c->line, c->e))
        return false;
    cursor_begin(c);
    return true;
}

/* ---- faults ---- */

_Noreturn void cursor_fault(struct cursor *c, const char *where)
{
    if (!c->e->file[0])
        snprintf(c->e->file, sizeof c->e->file, "%s", input_name(c->in));
    error_place(c->e, input_name(c->in), c->line.number, (uint64_t)(where - c->line.at) + 1);
    escape_raise(ESCAPE_ERROR);
}

void cursor_set_place(struct cursor *c, struct place at)
{
    error_place(c->e, input_name(c->in), at.line, at.column);
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
    const char *from = c->p;
    bool negative = *c->p == '-', overflow = false;
    uint64_t magnitude = 0;
    c->p += negative;
    if (!at_digit(c))
        FAULT(c, c->p, "expected %s", what);
    for (; at_digit(c); c->p++)
        overflow |= __builtin_mul_overflow(magnitude, 10u, &magnitude) ||
                    __builtin_add_overflow(magnitude, (uint64_t)(*c->p - '0'), &magnitude);
    if (overflow || magnitude > (uint64_t)INT64_MAX + negative)
        FAULT(c, from, "expected a number below 2^63");
    return negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
}
