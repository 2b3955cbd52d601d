/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include "base/escape.h"

void *vec_grow(struct mem *m, void *at, uint32_t n, uint32_t *cap, size_t more, size_t size)
{
    size_t wanted = (size_t)n + more;
    if (wanted > UINT32_MAX)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    size_t grown = (size_t)*cap + *cap / 2 + 16;
    if (grown < wanted)
        grown = wanted;
    if (grown > UINT32_MAX)
        grown = UINT32_MAX;
    at = mem_resize(m, at, mem_product(grown, size));
    *cap = (uint32_t)grown;
    return at;
}
