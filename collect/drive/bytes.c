/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/bytes.h"

#include <stdlib.h>
#include <string.h>

static char *grow(struct bytes *b, size_t more)
{
    if (!more)
        return NULL;
    if (b->room - b->n < more) {
        size_t room = b->room ? 2 * b->room : 256;
        while (room - b->n < more)
            room *= 2;
        char *grown = realloc(b->at, room);
        if (!grown) {
            b->failed = true;
            return NULL;
        }
        b->at = grown;
        b->room = room;
    }
    b->n += more;
    return b->at + b->n - more;
}

void bytes_add(struct bytes *b, const char *at, size_t n)
{
    char *to = grow(b, n);
    if (to)
        memcpy(to, at, n);
}

void bytes_puts(struct bytes *b, const char *text)
{
    bytes_add(b, text, strlen(text));
}

size_t bytes_decimal(char at[BYTES_NUMBER], int64_t number)
{
    char backwards[BYTES_NUMBER];
    size_t n = 0, length = 0;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        backwards[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        at[length++] = '-';
    while (n)
        at[length++] = backwards[--n];
    return length;
}

void bytes_number(struct bytes *b, int64_t number)
{
    char digits[BYTES_NUMBER];
    bytes_add(b, digits, bytes_decimal(digits, number));
}

bool bytes_read_number(const char *at, const char *end, int64_t *number)
{
    bool negative = at < end && *at == '-';
    uint64_t value = 0, most = (uint64_t)INT64_MAX + negative;
    at += negative;
    if (at == end)
        return false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9 || value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = negative ? (int64_t)-value : (int64_t)value;
    return true;
}

enum { PADDING = 64 }; /* its place in the alphabet */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

void bytes_base64(struct bytes *b, const char *at, size_t n)
{
    char *to = grow(b, (n + 2) / 3 * 4);
    for (size_t i = 0; to && i < n; i += 3, to += 4) {
        uint32_t three = (uint32_t)(unsigned char)at[i] << 16;
        if (i + 1 < n)
            three |= (uint32_t)(unsigned char)at[i + 1] << 8;
        if (i + 2 < n)
            three |= (unsigned char)at[i + 2];
        to[0] = alphabet[three >> 18];
        to[1] = alphabet[three >> 12 & 63];
        to[2] = alphabet[i + 1 < n ? three >> 6 & 63 : PADDING];
        to[3] = alphabet[i + 2 < n ? three & 63 : PADDING];
    }
}

bool bytes_from_base64(struct bytes *b, const char *at, size_t n)
{
    uint32_t bits = 0;
    unsigned held = 0;
    while (n && at[n - 1] == '=')
        n--;
    char *to = grow(b, n * 3 / 4);
    for (size_t i = 0; to && i < n; i++) {
        const char *place = memchr(alphabet, at[i], PADDING);
        if (!place)
            return false;
        bits = bits << 6 | (uint32_t)(place - alphabet);
        held += 6;
        if (held >= 8) {
            held -= 8;
            *to++ = (char)(bits >> held);
        }
    }
    return !b->failed;
}

void bytes_clear(struct bytes *b)
{
    b->n = 0;
    b->failed = false;
}

void bytes_free(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){0};
}
