/* SPDX-License-Identifier: Apache-2.0 */
#include "report/abbreviate.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

enum { TELLING = 12 }; /* columns of a call that still tell something */

static const char ellipsis[] = "\xe2\x80\xa6"; /* one column */

static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/* May the text be parted before this byte? Not within `=>`, nor behind it. */
static bool is_boundary(const char *text, size_t at)
{
    if (at == 0 || !text[at])
        return true;
    bool arrow = text[at - 1] == '=' || text[at - 1] == '>' || (at > 1 && text[at - 2] == '>');
    return !arrow && (!in_word(text[at - 1]) || !in_word(text[at]));
}

static uint32_t width(const char *text, size_t n)
{
    return (uint32_t)utf8_width(text, n);
}

static size_t first_word(const char *text)
{
    size_t end = 1;
    while (text[end] && !is_boundary(text, end))
        end++;
    return end;
}

/* The longest end of the text, behind `from`, that has so many columns at most and begins at a boundary. */
static size_t tail_of(const char *text, size_t from, uint32_t columns)
{
    size_t n = strlen(text), best = n;
    for (size_t at = n; at-- > from && width(text + at, n - at) <= columns;)
        if (is_boundary(text, at) && text[at] != ' ')
            best = at;
    return best;
}

static size_t head_of(const char *text, size_t from, size_t end, uint32_t columns)
{
    size_t best = from;
    for (size_t at = from; at <= end && width(text, at) <= columns; at++)
        if (is_boundary(text, at) && text[at - 1] != ' ')
            best = at;
    return best;
}

void abbreviate(struct text *out, const char *text, uint32_t columns)
{
    size_t n = strlen(text);
    if (!n || width(text, n) <= columns) {
        text_puts(out, text);
        return;
    }
    size_t word = first_word(text);
    uint32_t used = width(text, word) + 1;
    uint32_t rest = columns > used ? columns - used : 0;
    size_t tail = tail_of(text, word, rest > 8 ? 2 * rest / 3 : rest);
    size_t head = head_of(text, word, tail, columns - 1 - width(text + tail, n - tail));
    text_add(out, text, head);
    if (head < tail)
        text_puts(out, ellipsis);
    text_puts(out, text + tail);
}

uint32_t abbreviate_least(const char *text)
{
    size_t n = strlen(text), word = n ? first_word(text) : 0;
    uint32_t all = width(text, n), least = width(text, word) + 1;
    least = least > TELLING ? least : TELLING;
    return all < least ? all : least;
}
