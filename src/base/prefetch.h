/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for memory that will be needed soon. A loop that knows where it goes next need not wait for it. */
#ifndef ASSAY_BASE_PREFETCH_H
#define ASSAY_BASE_PREFETCH_H

#include <stddef.h>

enum { CACHE_LINE = 64 };

static inline void prefetch(const void *at)
{
#ifdef __GNUC__
    __builtin_prefetch(at);
    __asm__ volatile(""); /* else GCC drops calls of a function that only prefetches: it takes it for pure */
#else
    (void)at;
#endif
}

static inline void prefetch_bytes(const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CACHE_LINE)
        prefetch((const char *)from + i);
}

#endif
