/* SPDX-License-Identifier: Apache-2.0 */
/* Chains: events cut into totally ordered sequences, so that "everything up to here" is one number.
 * Threads are the chains of program order; other orders have other chains. */
#ifndef ASSAY_MEMORY_CHAINS_H
#define ASSAY_MEMORY_CHAINS_H

#include "memory/rw.h"

struct chains {
    uint32_t count;
    uint32_t *of, *at;      /* event -> its chain and its position there; ID_NONE: in no chain */
    uint32_t *start, *list; /* the events of chain c are list[start[c]] .. list[start[c+1]-1] */
};

static inline uint32_t chain_event(const struct chains *c, uint32_t chain, uint32_t position)
{
    return c->list[c->start[chain] + position];
}

static inline uint32_t chain_next(const struct chains *c, uint32_t e)
{
    uint32_t next = c->start[c->of[e]] + c->at[e] + 1;
    return next < c->start[c->of[e] + 1] ? c->list[next] : ID_NONE;
}

/* The last event of the chain below `end`, or ID_NONE. */
static inline uint32_t chain_last_before(const struct chains *c, uint32_t chain, uint32_t end)
{
    uint32_t low = c->start[chain], high = c->start[chain + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->list[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low > c->start[chain] ? c->list[low - 1] : ID_NONE;
}

static inline uint32_t chain_previous(const struct chains *c, uint32_t e)
{
    return c->at[e] ? c->list[c->start[c->of[e]] + c->at[e] - 1] : ID_NONE;
}

/* One chain per thread: po. Memory from m for all of these. */
struct chains chains_of_threads(const struct rw *v, struct mem *m);

/* Two chains per thread for TSO, 2t: its reads, 2t + 1: the rest. Reads overtake writes, nothing else does. */
struct chains chains_of_buffers(const struct rw *v, struct mem *m);
/* Of each event: the last one of its thread's other chain that precedes it, or ID_NONE. A read waits for the last fence
 * or rmw before it, everything else for the last read before it. */
uint32_t *prior_in_buffers(const struct rw *v, struct mem *m);

/* The chains of PSO, t: the reads and fences of thread t. Then comes one for each group (rw.h): a thread's writes of a
 * variable. Writes of different variables overtake each other, too. */
struct chains chains_of_variables(const struct rw *v, struct mem *m);
size_t chains_of_variables_count(const struct rw *v);
/* Of each event: the last one of its thread that is more than a write, or ID_NONE. Every event waits for that, and a
 * fence or an rmw for all writes before it, too. */
uint32_t *prior_in_variables(const struct rw *v, struct mem *m);

/* Chains given by a key per event; events keep their order, those with ID_NONE are left out. */
struct chains chains_by_key(uint32_t *key, uint32_t n, uint32_t count, struct mem *m);

#endif
