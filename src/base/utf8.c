/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

/* How many bytes follow this first byte of a character; -1: it cannot be one. */
static int continuation(unsigned char c)
{
    if (c < 0x80)
        return 0;
    if (c < 0xC2 || c > 0xF4)
        return -1;
    return c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
}

/* Second bytes that would make the character overlong, a surrogate or too large. */
static int excluded(unsigned char first, unsigned char second)
{
    return (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) || (first == 0xF0 && second < 0x90) ||
           (first == 0xF4 && second >= 0x90);
}

size_t utf8_next(const char *p, const char *end, uint32_t *character)
{
    unsigned char first = p < end ? (unsigned char)*p : 0;
    int more = continuation(first);
    if (more < 0 || end - p <= more)
        return 0;
    uint32_t c = more ? first & (0x3Fu >> more) : first;
    for (int i = 1; i <= more; i++) {
        if (((unsigned char)p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | ((unsigned char)p[i] & 0x3F);
    }
    if (more && excluded(first, (unsigned char)p[1]))
        return 0;
    *character = c;
    return (size_t)more + 1;
}

const char *utf8_fault(const char *p, const char *end)
{
    uint32_t ignored;
    while (p < end) {
        size_t n = utf8_next(p, end, &ignored);
        if (!n)
            return p;
        p += n;
    }
    return NULL;
}

static unsigned columns(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        unsigned columns;
    } blocks[] = {
        {0x0300, 0x036F, 0},   {0x1100, 0x115F, 2},   {0x2E80, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
        {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},
        {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (c >= blocks[i].first && c <= blocks[i].last)
            return blocks[i].columns;
    return 1;
}

size_t utf8_width(const char *text, size_t n)
{
    const char *end = text + n;
    size_t width = 0;
    if (utf8_fault(text, end))
        return n; /* no text: some width must do */
    while (text < end) {
        uint32_t c = 0;
        text += utf8_next(text, end, &c);
        width += columns(c);
    }
    return width;
}
