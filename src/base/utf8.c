/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stddef.h>

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
    return (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
           (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
}

const char *utf8_fault(const char *p, const char *end)
{
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        int more = continuation(c);
        if (more < 0 || end - p <= more)
            return p;
        for (int i = 1; i <= more; i++)
            if (((unsigned char)p[i] & 0xC0) != 0x80)
                return p;
        if (more && excluded(c, (unsigned char)p[1]))
            return p;
        p += more + 1;
    }
    return NULL;
}
