/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wrap.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Colours take no columns: ESC [ ... m. */
static uint32_t width(const char *text, size_t n)
{
    uint32_t columns = 0;
    for (size_t at = 0; at < n;) {
        const char *escape = memchr(text + at, '\033', n - at);
        size_t end = escape ? (size_t)(escape - text) : n;
        columns += (uint32_t)utf8_width(text + at, end - at);
        at = end;
        while (escape && at < n && text[at++] != 'm')
            ;
    }
    return columns;
}

static size_t blanks(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i] == ' ')
        i++;
    return i;
}

/* Does a word belong to the next one? `line 3`, `=> 0` */
static bool is_joined(const char *line, size_t from, size_t end)
{
    size_t n = end - from;
    return (n >= 4 && memcmp(line + end - 4, "line", 4) == 0) || (n == 2 && memcmp(line + from, "=>", 2) == 0);
}

static size_t word_end(const char *line, size_t from, size_t n)
{
    size_t end = from;
    while (end < n && line[end] != ' ')
        end++;
    return end + 1 < n && is_joined(line, from, end) && line[end + 1] != ' ' ? word_end(line, end + 1, n) : end;
}

static void wrap_line(struct text *out, const char *line, size_t n, uint32_t columns, uint32_t indent)
{
    size_t further = indent ? indent : blanks(line, n) + 2;
    further = further < columns / 2 ? further : columns / 2;
    uint32_t at = 0;
    for (size_t i = 0; i < n;) {
        size_t gap = blanks(line + i, n - i), word = word_end(line, i + gap, n);
        uint32_t wide = width(line + i + gap, word - i - gap);
        if (i && at + gap + wide > columns) {
            text_printf(out, "\n%*s", (int)further, "");
            at = (uint32_t)further;
        } else {
            text_printf(out, "%*s", (int)gap, "");
            at += (uint32_t)gap;
        }
        text_add(out, line + i + gap, word - i - gap);
        at += wide;
        i = word;
    }
    text_char(out, '\n');
}

void wrap_in(struct text *out, const char *lines, uint32_t columns, uint32_t indent)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        if (width(lines, n) > columns)
            wrap_line(out, lines, n, columns, indent);
        else
            text_add(out, lines, n), text_char(out, '\n');
        lines += n + (lines[n] == '\n');
    }
}
