/* SPDX-License-Identifier: Apache-2.0 */
/* Counting sorts by 11 bits at a time, from the lowest on; a digit that all keys share is left out. Short or nearly
 * sorted arrays are sorted by insertion. */
#include "base/radix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 3, BUCKETS = 1 << DIGIT_BITS, SHORT = 64 };

/* False: it would take too long, and the items are in some other order. */
static bool insertion_sort(uint64_t *items, uint32_t n)
{
    uint64_t moves = 0, most = n < SHORT ? UINT64_MAX : 4 * (uint64_t)n;
    for (uint32_t i = 1; i < n; i++) {
        uint64_t x = items[i];
        uint32_t j = i;
        for (; j && items[j - 1] > x && moves < most; j--, moves++)
            items[j] = items[j - 1];
        items[j] = x;
        if (moves == most)
            return false;
    }
    return true;
}

static uint32_t digit(uint64_t item, int d)
{
    return (uint32_t)(item >> (32 + d * DIGIT_BITS)) & (BUCKETS - 1);
}

void radix_sort(uint64_t *items, uint32_t n, struct mem *m)
{
    if (insertion_sort(items, n))
        return;
    uint64_t *other = mem_new(m, uint64_t, n), *from = items, *to = other;
    uint32_t(*count)[BUCKETS] = mem_zero(m, DIGITS * sizeof *count);
    for (uint32_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++)
            count[d][digit(items[i], d)]++;
    for (int d = 0; d < DIGITS; d++) {
        if (count[d][digit(items[0], d)] == n)
            continue;
        for (uint32_t b = 0, at = 0; b < BUCKETS; b++) {
            uint32_t size = count[d][b];
            count[d][b] = at;
            at += size;
        }
        for (uint32_t i = 0; i < n; i++)
            to[count[d][digit(from[i], d)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
    mem_free(m, count);
    mem_free(m, other);
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

void sort_few(uint32_t *numbers, uint32_t n)
{
    if (n)
        qsort(numbers, n, sizeof *numbers, by_number);
}
