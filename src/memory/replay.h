/* SPDX-License-Identifier: Apache-2.0 */
/* Executions over values: an order of the events in which each read returns its value, from any write of it. A search
 * with a memo, for histories whose values are not unique.
 *
 * Events are executed one after another, each when all events are that the frame puts before it. A read sees its
 * thread's latest write of the variable if that is still in the buffer, else the memory. The state of an execution is
 * the position in each lane and the value of each variable: which write left a value does not matter. So a state is
 * visited once. With k lanes there are at most n^k states for each memory content, where choices of sources are
 * exponential in n.
 *
 *   - A read that sees its value is executed at once, and so is a fence: they change nothing for the others.
 *   - A write is executed at once if then no event is left that reads its value, nor one that reads the value it
 *     overwrites. In every completion the write, with the reads that follow it, can be moved to the front.
 *   - All other writes are tried, first the one that most lanes wait for; of equals the one that was recorded first.
 *   - A lane that waits for a value without a write left never goes on.
 *   - A value that no event reads any more counts as none when states are compared.
 *
 * Open operations (pending.h) may be executed and need not be. Declared final values count as reads at the end.
 *
 * Source: states of positions and contents as in the search for linearizations (Wing and Gong, 1993; Lowe, 2017).
 * Gibbons and Korach (1997) have the bound for a fixed number of threads. */
#ifndef ASSAY_MEMORY_REPLAY_H
#define ASSAY_MEMORY_REPLAY_H

#include "base/budget.h"
#include "base/rows.h"
#include "memory/accesses.h"
#include "memory/frame.h"

enum replay_end { REPLAY_FOUND, REPLAY_NONE, REPLAY_GIVEN_UP };

struct replay_level { /* a state, and the writes that may be next: moves[from] .. */
    uint32_t executed, from, next;
};

struct replay {
    const struct rw *v;
    const struct accesses *a;
    struct mem *m;
    struct budget *budget;
    struct chains chains;
    struct groups before; /* of an event: those of other lanes that it waits for */
    uint32_t *own;        /* own_writes */

    uint32_t *order, executed;
    uint32_t *state;    /* the positions of the lanes, then the values of the variables */
    uint32_t *key;      /* the same, with values that are not read any more as none */
    uint32_t *replaced; /* write -> the value that it overwrote */
    uint32_t *readers;  /* value -> events left that read it, and the declaration that it is final */
    uint32_t *writers;  /* value -> events left that write it */
    uint32_t must;      /* events left that every execution has */

    uint64_t effort; /* lanes looked at */
    struct rows seen;
    VEC(struct replay_level) levels;
    VEC(uint32_t) moves; /* lanes */
    uint32_t *wanted;    /* value -> lanes that wait for it */
};

void replay_init(struct replay *r, const struct rw *v, const struct accesses *a, enum buffering memory, struct mem *m,
                 struct budget *budget);

/* The order in which the events were recorded, if it explains every read; without open operations. */
bool replay_recorded(struct replay *r);

/* Any order; gives up after so many cells of states, or work in proportion. */
enum replay_end replay_search(struct replay *r, size_t most_cells);

/* Of each read that was executed: the write that left its value, or RW_INIT; after REPLAY_FOUND. Sets happened[] of the
 * open operations whose values were needed. */
void replay_sources(const struct replay *r, uint32_t *src, bool *happened);

#endif
