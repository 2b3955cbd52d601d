/* SPDX-License-Identifier: Apache-2.0 */
#include "format/recognise.h"

#include <string.h>

const char *recognise_here(const char *p, const char *end, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(end - p) >= n && memcmp(p, text, n) == 0 ? p + n : NULL;
}

const char *recognise_find(const char *p, const char *end, const char *text)
{
    while (p < end && (p = memchr(p, text[0], (size_t)(end - p)))) {
        const char *behind = recognise_here(p, end, text);
        if (behind)
            return behind;
        p++;
    }
    return NULL;
}

const char *recognise_line_end(const char *p, const char *end)
{
    const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    return newline ? newline : end;
}

const char *recognise_blank(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

const char *recognise_start(const char *p, const char *end, char comment)
{
    const char *behind = recognise_here(p, end, "\xEF\xBB\xBF");
    p = behind ? behind : p;
    for (;;) {
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == ','))
            p++;
        if (p == end || *p != comment)
            return p;
        p = recognise_line_end(p, end);
    }
}
