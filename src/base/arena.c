/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 * 1024 };

static void *carve(struct arena *a, size_t bytes, size_t align)
{
    size_t skip = (size_t)(-(uintptr_t)a->at & (align - 1));
    if ((size_t)(a->end - a->at) < bytes + skip) {
        if (bytes > BLOCK / 4)
            return mem_alloc(a->mem, bytes); /* a block of its own; the current one goes on */
        a->at = mem_alloc(a->mem, BLOCK);
        a->end = a->at + BLOCK;
        skip = 0;
    }
    char *piece = a->at + skip;
    a->at = piece + bytes;
    return piece;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    return carve(a, bytes, 16);
}

char *arena_text(struct arena *a, const char *text, size_t length)
{
    char *copy = carve(a, length + 1, 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
