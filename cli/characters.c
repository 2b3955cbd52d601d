/* SPDX-License-Identifier: Apache-2.0 */
#include "characters.h"

size_t character_length(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    if (s[0] >= 0x80 && s[0] < 0xC2)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || /* overlong, surrogates */
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return n;
}

bool text_is_utf8(const char *text, size_t n)
{
    for (const char *end = text + n; text < end;) {
        size_t length = *text ? character_length((const unsigned char *)text) : 0;
        if (!length)
            return false;
        text += length;
    }
    return true;
}
