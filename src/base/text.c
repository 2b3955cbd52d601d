/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/notation.h"
#include "base/shown.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static void room(struct text *t, size_t more)
{
    if (t->cap - t->n > more)
        return;
    size_t cap = t->cap * 2 + more + 64;
    t->at = mem_resize(t->mem, t->at, cap);
    t->cap = cap;
}

void text_add(struct text *t, const char *bytes, size_t n)
{
    room(t, n);
    if (n)
        memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = '\0';
}

void text_puts(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_char(struct text *t, char c)
{
    text_add(t, &c, 1);
}

void text_int(struct text *t, int64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (v < 0)
        text_char(t, '-');
    text_add(t, digits + at, sizeof digits - at);
}

void text_integer(struct text *t, int64_t v, uint32_t notation)
{
    char digits[NOTATION_TEXT];
    if (notation)
        text_add(t, digits, notation_print(digits, v, notation));
    else
        text_int(t, v);
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        room(t, (size_t)n + 1);
        vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

/* One character of n bytes. */
static void json_char(struct text *t, uint32_t c, const char *bytes, size_t n)
{
    switch (c) {
    case '"': text_puts(t, "\\\""); break;
    case '\\': text_puts(t, "\\\\"); break;
    case '\n': text_puts(t, "\\n"); break;
    case '\r': text_puts(t, "\\r"); break;
    case '\t': text_puts(t, "\\t"); break;
    default:
        if (shown_steers(c))
            text_printf(t, "\\u%04x", (unsigned)c);
        else
            text_add(t, bytes, n);
    }
}

void text_markup(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (bytes[i]) {
        case '&': text_puts(t, "&amp;"); break;
        case '<': text_puts(t, "&lt;"); break;
        case '>': text_puts(t, "&gt;"); break;
        case '"': text_puts(t, "&quot;"); break;
        default: text_char(t, bytes[i]);
        }
    }
}

void text_json(struct text *t, const char *bytes, size_t n)
{
    uint32_t c;
    text_char(t, '"');
    for (const char *p = bytes, *end = bytes + n; p < end;) {
        size_t length = utf8_next(p, end, &c);
        if (length)
            json_char(t, c, p, length);
        else
            text_puts(t, "\\ufffd"); /* not UTF-8, as a file's name may be: JSON cannot hold it as it is */
        p += length ? length : 1;
    }
    text_char(t, '"');
}

const char *text_get(struct text *t)
{
    return t->at ? t->at : "";
}
