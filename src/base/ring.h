/* SPDX-License-Identifier: Apache-2.0 */
/* Queues in arrays that are used in a circle. RING(T) is an anonymous struct, zero-initialised when empty; its memory
 * belongs to the struct mem given at each growth, which doubles the room. */
#ifndef ASSAY_BASE_RING_H
#define ASSAY_BASE_RING_H

#include "base/mem.h"

#include <stdint.h>
#include <string.h>

#define RING(T)                                                                                                        \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        uint32_t first, n, room; /* room: a power of two, or 0 */                                                      \
    }

/* The i-th from the front. */
#define ring_at(r, i) ((r)->at[((r)->first + (i)) & ((r)->room - 1)])
#define ring_front(r) ((r)->at[(r)->first])
#define ring_drop(r) ((r)->first = ((r)->first + 1) & ((r)->room - 1), (r)->n--)
#define ring_push(m, r, x)                                                                                             \
    ((r)->n == (r)->room ? (void)((r)->at = ring_grow((m), (r)->at, &(r)->first, &(r)->room, sizeof *(r)->at))         \
                         : (void)0,                                                                                    \
     (r)->at[((r)->first + (r)->n++) & ((r)->room - 1)] = (x))
#define ring_free(m, r) (mem_free((m), (r)->at), (r)->at = NULL, (r)->first = (r)->n = (r)->room = 0)

static inline void *ring_grow(struct mem *m, void *at, uint32_t *first, uint32_t *room, size_t size)
{
    uint32_t wider = *room ? 2 * *room : 16;
    char *to = mem_alloc(m, mem_product(wider, size)), *from = at;
    if (*room) {
        size_t tail = *room - *first;
        memcpy(to, from + *first * size, tail * size);
        memcpy(to + tail * size, from, *first * size);
    }
    mem_free(m, at);
    *first = 0;
    *room = wider;
    return to;
}

#endif
