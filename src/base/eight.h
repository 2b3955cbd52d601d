/* SPDX-License-Identifier: Apache-2.0 */
/* Eight bytes of text at a time, in one word: the first byte is the lowest.
 *
 * A mask has the highest bit of each byte that it speaks of. Only its lowest bit is exact where a comment says so: a
 * borrow or a carry may reach the bytes behind that one. */
#ifndef ASSAY_BASE_EIGHT_H
#define ASSAY_BASE_EIGHT_H

#include <stdint.h>
#include <string.h>

#define EIGHT_ONES 0x0101010101010101u
#define EIGHT_HIGH 0x8080808080808080u

static inline uint64_t eight_at(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* The bytes below `limit`, which is at most 128; the lowest bit is exact. */
static inline uint64_t eight_below(uint64_t x, unsigned char limit)
{
    return (x - EIGHT_ONES * limit) & ~x & EIGHT_HIGH;
}

/* The bytes that are c; the lowest bit is exact. */
static inline uint64_t eight_equal(uint64_t x, unsigned char c)
{
    return eight_below(x ^ EIGHT_ONES * c, 1);
}

/* The bytes that are not digits; all bits are exact. */
static inline uint64_t eight_not_digits(uint64_t x)
{
    uint64_t low = (x ^ EIGHT_ONES * '0') & ~EIGHT_HIGH; /* a digit is now at most 9 */
    return ((low + EIGHT_ONES * (0x80 - 10)) | x) & EIGHT_HIGH;
}

/* The number of bytes before the first of the mask; the mask is not 0. */
static inline unsigned eight_before(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask) / 8;
}

/* The first n bytes, and zeros behind them; n < 8. */
static inline uint64_t eight_first(uint64_t x, unsigned n)
{
    return x & (((uint64_t)1 << (8 * n)) - 1);
}

/* The number that n digits spell, 0 < n <= 8: neighbours are joined, by pairs, by fours, by eights. */
static inline uint32_t eight_number(uint64_t x, unsigned n)
{
    x = (x - EIGHT_ONES * '0') << (8 * (8 - n)); /* with zeros in front */
    x = (x * 10 + (x >> 8)) & 0x00FF00FF00FF00FFu;
    x = (x * 100 + (x >> 16)) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(x * 10000 + (x >> 32));
}

#endif
