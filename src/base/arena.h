/* SPDX-License-Identifier: Apache-2.0 */
/* Arena: many small pieces that live and die together, carved from blocks of a struct mem. */
#ifndef ASSAY_BASE_ARENA_H
#define ASSAY_BASE_ARENA_H

#include "base/mem.h"

struct arena {
    struct mem *mem;
    char *at, *end;
};

static inline struct arena arena_in(struct mem *m)
{
    return (struct arena){.mem = m};
}

void *arena_alloc(struct arena *a, size_t bytes);                   /* uninitialised, aligned to 16 */
char *arena_text(struct arena *a, const char *text, size_t length); /* unaligned copy with a final NUL */

#define arena_new(a, T, n) ((T *)arena_alloc((a), mem_product((n), sizeof(T))))

#endif
