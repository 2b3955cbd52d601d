/* SPDX-License-Identifier: Apache-2.0 */
/* Program order across threads: fork and join (`# @po after`).
 *
 * An operation recorded as `@ after t0:2` comes after the first two operations of t0 in program order, too. So the
 * program order of a history is the least transitive relation that contains the order of each thread and these pairs.
 * The events of another thread that precede an event are those before some position, a row as in pasts.h. Rows are
 * shared by events of one thread until its past grows.
 *
 * Source: histories with a partial program order are those of CAV'19, Definition 1. */
#ifndef ASSAY_MEMORY_ACROSS_H
#define ASSAY_MEMORY_ACROSS_H

#include "base/group.h"
#include "memory/rw.h"

struct across {
    /* Of an event: the last one of each other thread that precedes it and not the event before it in its thread. */
    struct groups last;
    const uint32_t *row_of, *rows; /* of an event: how many events of each other thread precede it */
};

/* The order across threads that h records for the events of v; NULL: it is circular, and *op is after itself. Memory
 * from m. */
const struct across *across_of(const history *h, const struct rw *v, struct mem *m, uint32_t *op);

/* How many events of the thread come before e. */
static inline uint32_t across_count(const struct rw *v, uint32_t e, uint32_t thread)
{
    return thread == v->thread[e] ? e - v->base[thread] : v->across->rows[(size_t)v->across->row_of[e] * v->k + thread];
}

/* The events of other threads that directly precede e. */
static inline const uint32_t *across_before(const struct rw *v, uint32_t e, uint32_t *count)
{
    const struct groups *last = &v->across->last;
    *count = last->at[e + 1] - last->at[e];
    return last->list + last->at[e];
}

#endif
