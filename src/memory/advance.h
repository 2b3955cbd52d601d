/* SPDX-License-Identifier: Apache-2.0 */
/* Topological sorting of threads: an order of events that respects program order and further edges.
 *
 * Idea: program order needs no queue and no in-degrees. Each thread is a pointer that advances while its next event is
 * free. An event that is not free names one blocker, an event that must come first. Its thread sleeps until the
 * blocker's thread has passed the blocker (one watched reason, as SAT solvers watch literals). Edges are never stored:
 * the caller's `blocker` finds them, so n*k edges cost no memory.
 *
 * Invariant: done[t] events of thread t are placed; a sleeping thread waits for exactly one event.
 * If every thread sleeps or is at its goal before all goals are reached, the edges have a cycle.
 * Time: one call of `blocker` per event and per time it is woken. */
#ifndef ASSAY_MEMORY_ADVANCE_H
#define ASSAY_MEMORY_ADVANCE_H

#include "base/budget.h"
#include "memory/across.h"

struct lanes { /* the advancing units: the events of lane t are start[t] .. start[t+1]-1 */
    uint32_t count;
    const uint32_t *start, *of; /* of: event -> lane */
};

struct advance {
    struct lanes lanes;
    uint32_t *done;                  /* per thread: placed events */
    uint32_t *goal;                  /* per thread: how many to place; may be raised between runs */
    uint32_t *wake;                  /* per thread: the first position that a thread waits for, or ID_NONE */
    uint32_t *waiters, *next_waiter; /* per thread: the threads that wait for it, as a list */
    uint32_t *awaited;               /* per thread: the event it waits for, while it is asleep */
    uint32_t *ready;                 /* stack of threads that may go on */
    uint32_t ready_count;
    bool *asleep;

    /* An event that must be placed before e and is not, or ID_NONE. */
    uint32_t (*blocker)(void *arg, uint32_t e);
    /* Called when e is placed. May be NULL. */
    void (*place)(void *arg, uint32_t e);
    void *arg;
    struct budget *budget;
};

/* All goals are zero at first. Memory from m. */
void advance_init(struct advance *a, const struct rw *v, struct mem *m);

/* For other chains than threads. Events are then numbered chain by chain: e is the one at start[chain] + position. */
void advance_init_lanes(struct advance *a, struct lanes lanes, struct mem *m);
void advance_reset(struct advance *a);

static inline bool advance_placed(const struct advance *a, uint32_t e)
{
    uint32_t t = a->lanes.of[e];
    return a->done[t] > e - a->lanes.start[t];
}

/* Raises the goal of a thread; the next run continues. */
void advance_raise(struct advance *a, uint32_t thread, uint32_t goal);
void advance_raise_all(struct advance *a); /* to everything */

/* The first of these events that is not placed, or ID_NONE. */
static inline uint32_t advance_first_unplaced(const struct advance *a, const uint32_t *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!advance_placed(a, events[i]))
            return events[i];
    return ID_NONE;
}

/* The source of a read of e, or an event before e in the program order across threads, if it is not placed; or
 * ID_NONE. */
static inline uint32_t advance_unplaced_source(const struct advance *a, const struct rw *v, uint32_t e)
{
    for (uint32_t i = rw_from(v, e), end = rw_to(v, e); i < end; i++)
        if ((v->kind[i] & RW_READS) && v->src[i] < RW_THIN && !advance_placed(a, rw_event(v, v->src[i])))
            return rw_event(v, v->src[i]);
    if (!v->across)
        return ID_NONE;
    uint32_t count;
    const uint32_t *before = across_before(v, e, &count);
    return advance_first_unplaced(a, before, count);
}

/* Runs until all goals are reached (true) or nothing can move (false: a cycle among the remaining events). */
bool advance_run(struct advance *a);

/* Everything, from the start. */
bool advance_sort(struct advance *a, uint32_t (*blocker)(void *arg, uint32_t e), void (*place)(void *arg, uint32_t e),
                  void *arg, struct budget *budget);

/* After a failed run: an event on a cycle. */
uint32_t advance_on_cycle(const struct advance *a);

#endif
