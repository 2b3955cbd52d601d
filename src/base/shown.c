/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shown.h"

#include "base/utf8.h"

#include <string.h>

enum { SHOWN_ESCAPE = sizeof "\\u001b" };

bool shown_steers(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* The next bytes of the text, *n of them, as they are shown: a run that stays as it is, or the escape of one
 * character. */
static const char *piece(const char **at, const char *end, const char *keep, char escape[SHOWN_ESCAPE], size_t *n)
{
    const char *from = *at, *p = from;
    uint32_t c = 0;
    size_t length = 0;
    while (p < end && (length = utf8_next(p, end, &c)) && (!shown_steers(c) || (c && c < 0x80 && strchr(keep, (int)c))))
        p += length;
    if (p > from) {
        *at = p;
        *n = (size_t)(p - from);
        return from;
    }
    *at = p + (length ? length : 1);
    *n = (size_t)(length ? snprintf(escape, SHOWN_ESCAPE, "\\u%04x", (unsigned)c & 0xFFFF)
                         : snprintf(escape, SHOWN_ESCAPE, "\\x%02x", (unsigned char)*p));
    return escape;
}

void text_shown(struct text *t, const char *bytes, size_t n, const char *keep)
{
    char escape[SHOWN_ESCAPE];
    for (const char *p = bytes, *end = bytes + n; p < end;) {
        size_t length;
        const char *next = piece(&p, end, keep, escape, &length);
        text_add(t, next, length);
    }
}

void shown_write(FILE *out, const char *bytes, size_t n, const char *keep)
{
    char escape[SHOWN_ESCAPE];
    for (const char *p = bytes, *end = bytes + n; p < end;) {
        size_t length;
        const char *next = piece(&p, end, keep, escape, &length);
        fwrite(next, 1, length, out);
    }
}

void shown_puts(FILE *out, const char *text)
{
    shown_write(out, text, strlen(text), "");
}
