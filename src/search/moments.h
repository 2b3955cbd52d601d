/* SPDX-License-Identifier: Apache-2.0 */
/* The calls and returns of a part in the order of time. A moment lies between one of these events and the next. Each
 * operation takes effect at a moment between its call and its return. */
#ifndef ASSAY_SEARCH_MOMENTS_H
#define ASSAY_SEARCH_MOMENTS_H

#include "base/radix.h"
#include "search/calls.h"

/* An event: its rank in the upper half; below, twice the operation's place in the part, and one for a return. */
static inline uint32_t moment_place(uint64_t event)
{
    return (uint32_t)event / 2;
}

static inline uint32_t moment_rank(uint64_t event)
{
    return (uint32_t)(event >> 32);
}

static inline bool moment_is_return(uint64_t event)
{
    return event & 1;
}

/* Pending calls have no return. Memory from m. */
static inline uint64_t *moments_of(const struct calls *c, const struct part *part, struct mem *m, uint32_t *n)
{
    uint64_t *events = mem_new(m, uint64_t, 2 * (size_t)part->n + 1);
    *n = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        events[(*n)++] = (uint64_t)c->call[part->ops[i]] << 32 | (2 * i);
        if (c->ret[part->ops[i]] != CALLS_NEVER)
            events[(*n)++] = (uint64_t)c->ret[part->ops[i]] << 32 | (2 * i + 1);
    }
    radix_sort(events, *n, m);
    return events;
}

#endif
