/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bitset.h"

size_t bitset_next(const uint64_t *s, size_t bits, size_t from)
{
    while (from < bits) {
        uint64_t rest = s[from / 64] >> (from % 64);
        if (rest) {
            size_t i = from + (size_t)__builtin_ctzll(rest);
            return i < bits ? i : bits;
        }
        from = (from / 64 + 1) * 64;
    }
    return bits;
}

size_t bitset_count(const uint64_t *s, size_t bits)
{
    size_t n = 0;
    for (size_t i = 0; i < bits / 64; i++)
        n += (size_t)__builtin_popcountll(s[i]);
    if (bits % 64)
        n += (size_t)__builtin_popcountll(s[bits / 64] & (((uint64_t)1 << (bits % 64)) - 1));
    return n;
}
