/* SPDX-License-Identifier: Apache-2.0 */
#include "base/notation.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    CAPITALS = 0xFFFF, /* bit i: the i-th digit from the right is one of A to F */
    COUNT_SHIFT = 16,
    COUNT = 0x7F << COUNT_SHIFT, /* of digits; 0: decimal */
    CAPITAL_X = 1 << 23,
    MINUS = 1 << 24,
    ALL = CAPITALS | COUNT | CAPITAL_X | MINUS,
};

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool notation_decimal(const char **p, const char *to, int64_t *integer)
{
    bool negative = *p < to && **p == '-', overflow = false;
    uint64_t magnitude = 0;
    for (*p += negative; *p < to && **p >= '0' && **p <= '9'; ++*p)
        overflow |= __builtin_mul_overflow(magnitude, 10u, &magnitude) ||
                    __builtin_add_overflow(magnitude, (uint64_t)(**p - '0'), &magnitude);
    *integer = (int64_t)(negative ? 0 - magnitude : magnitude);
    return !overflow && magnitude <= (uint64_t)INT64_MAX + negative;
}

bool notation_is_hex(const char *from, const char *to)
{
    from += from < to && *from == '-';
    if (to - from < 3 || from[0] != '0' || (from[1] != 'x' && from[1] != 'X'))
        return false;
    for (from += 2; from < to; from++)
        if (digit_of(*from) < 0)
            return false;
    return true;
}

bool notation_read(const char *from, const char *to, int64_t *integer, uint32_t *notation)
{
    bool negative = *from == '-';
    const char *digits = from + negative + 2;
    uint32_t count = to - digits > NOTATION_DIGITS ? NOTATION_DIGITS + 1 : (uint32_t)(to - digits);
    uint32_t how = count << COUNT_SHIFT | (digits[-1] == 'X' ? CAPITAL_X : 0) | (negative ? MINUS : 0);
    uint64_t magnitude = 0;
    bool fits = count <= NOTATION_DIGITS;
    for (const char *p = digits; p < to && fits; p++) {
        fits = magnitude >> 60 == 0;
        magnitude = magnitude << 4 | (uint64_t)digit_of(*p);
        if (*p >= 'A' && *p <= 'F' && to - p <= 16)
            how |= 1u << (to - p - 1);
    }
    if (!fits || (negative && magnitude > (uint64_t)INT64_MAX + 1))
        return false;
    *integer = (int64_t)(negative ? 0 - magnitude : magnitude);
    *notation = how;
    return true;
}

uint32_t notation_hex(uint64_t integer)
{
    uint32_t count = 1;
    while (integer >>= 4)
        count++;
    return count << COUNT_SHIFT;
}

static size_t print_hex(char *out, int64_t integer, uint32_t notation)
{
    uint64_t rest = (uint64_t)integer;
    size_t n = 0;
    if (notation & MINUS && integer <= 0) {
        out[n++] = '-';
        rest = 0 - rest;
    }
    uint32_t count = notation_hex(rest) >> COUNT_SHIFT, written = (notation & COUNT) >> COUNT_SHIFT;
    count = count > written ? count : written;
    out[n++] = '0';
    out[n++] = notation & CAPITAL_X ? 'X' : 'x';
    for (uint32_t i = count; i-- > 0;) {
        bool capital = i < 16 && notation >> i & 1;
        out[n++] = (capital ? "0123456789ABCDEF" : "0123456789abcdef")[i < 16 ? rest >> 4 * i & 15 : 0];
    }
    out[n] = '\0';
    return n;
}

size_t notation_print(char out[NOTATION_TEXT], int64_t integer, uint32_t notation)
{
    if (notation)
        return print_hex(out, integer, notation);
    return (size_t)snprintf(out, NOTATION_TEXT, "%" PRId64, integer);
}

uint32_t notation_checked(size_t notation)
{
    uint32_t digits = (uint32_t)(notation & COUNT) >> COUNT_SHIFT;
    return notation <= ALL && digits && digits <= NOTATION_DIGITS ? (uint32_t)notation : NOTATION_DECIMAL;
}
