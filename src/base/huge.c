/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mremap */
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHED
#endif
#elif defined __SANITIZE_ADDRESS__
#define WATCHED
#endif

#if defined MADV_HUGEPAGE && defined MREMAP_MAYMOVE && !defined WATCHED

enum { PAGE = 2 * 1024 * 1024 };

bool huge_is(size_t bytes)
{
    return bytes >= PAGE / 2 && bytes <= SIZE_MAX / 2;
}

/* Linux puts mappings on borders of large pages if their sizes are multiples of them. The rest is not touched. */
static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* A wish only: without large pages the block is as good. */
static void *wish(void *block, size_t size)
{
    if (block == MAP_FAILED)
        return NULL;
    madvise(block, size, MADV_HUGEPAGE);
    return block;
}

void *huge_new(size_t bytes)
{
    size_t size = whole_pages(bytes);
    return wish(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);
}

void *huge_resize(void *block, size_t old, size_t bytes)
{
    size_t before = whole_pages(old), size = whole_pages(bytes);
    return before == size ? block : wish(mremap(block, before, size, MREMAP_MAYMOVE), size);
}

void huge_free(void *block, size_t bytes)
{
    munmap(block, whole_pages(bytes));
}

#else

bool huge_is(size_t bytes)
{
    (void)bytes;
    return false;
}

void *huge_new(size_t bytes)
{
    (void)bytes;
    return NULL;
}

void *huge_resize(void *block, size_t old, size_t bytes)
{
    (void)block, (void)old, (void)bytes;
    return NULL;
}

void huge_free(void *block, size_t bytes)
{
    (void)block, (void)bytes;
}

#endif
