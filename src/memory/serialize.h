/* SPDX-License-Identifier: Apache-2.0 */
/* Completing the store order: an order of all events that explains every read, or a refutation.
 *
 * Events are executed one after another, in an order that respects the forced order's first graph. A write is executed
 * when it reaches the memory, a read when it takes its value. It takes the value of the thread's own latest write if
 * that has not reached the memory, else from the memory. For sequential consistency the lanes are the threads. For TSO
 * a thread has a lane of reads and one of writes, for PSO one of writes for each variable. Their order is the memory's.
 *
 *   - A read whose source is current is executed at once: it changes nothing for other events.
 *   - A write after which all its readers can be executed at once is executed without a choice. No other event needs
 *     the value it overwrites, and its block can be moved to the front of any completion.
 *   - Any other write w of x is a choice. Its readers that are left must come before the next write of x, so
 *     w must be stored before the other threads' next writes v of x. These pairs are assumed one at a time,
 *     each followed by closing the forced order; the pairs left open never matter.
 *
 * A conflict names the assumptions it rests on. Assumptions that earlier conflicts forced are replaced by the pairs
 * that forced them. The result is a clause: not all of these. The search goes back to the last but one of them and
 * assumes the opposite of the last, for the reason of that clause. This is conflict-driven backjumping with learned
 * reasons. The execution is only a guide: it is undone to where it still fits.
 *
 * Invariant: after closing, a choice can always be made. A least event that is not executed has all its predecessors
 * executed. If it is a read, its source is current, since no write of x gets past a pending reader. If it is a write,
 * the pending readers of the value it overwrites would be among its predecessors.
 *
 * Source: frontier search as in Biswas-Enea (OOPSLA'19) and Abdulla et al. (OOPSLA'19), for TSO as in Bui et al.
 * (OOPSLA'21). Backjumping after Prosser; the combination with saturation follows Zennou's thesis. */
#ifndef ASSAY_MEMORY_SERIALIZE_H
#define ASSAY_MEMORY_SERIALIZE_H

#include "memory/forced_order.h"

struct assumption { /* v is stored before w */
    uint32_t v, w;
    uint32_t level;  /* 0: holds in every case */
    uint32_t reason; /* the clause that forced it, or ID_NONE: chosen */
};

struct decision_level {
    struct forced_mark mark;
    uint32_t executed, assumptions;
};

struct clause { /* not all of these: literals[at] .. */
    uint32_t at, count;
};

struct serialize {
    struct forced_order *w;
    struct mem *m;
    /* The forced order is in conflict: calls blame for each assumption that the conflict rests on. */
    void (*conflict)(void *arg);
    /* A clause was learned: not all of the pairs hold. Without pairs: there is no order. */
    void (*learned)(void *arg, const struct assumption *pairs, uint32_t count);
    void *arg;

    uint32_t *order; /* executed events */
    uint32_t executed;
    uint64_t conflicts, choices;
    uint64_t most_conflicts; /* the search gives up after so many; 0: never. To be set after serialize_init */
    bool gave_up;

    /* the memory */
    uint32_t *done;     /* per lane */
    uint32_t *when;     /* event -> its place in order[], or ID_NONE */
    uint32_t *current;  /* variable -> the write it holds, an access, or RW_INIT */
    uint32_t *replaced; /* write -> the write that it overwrote */
    uint32_t *left;     /* write -> readers not executed */
    uint32_t *own;      /* read -> the latest write of its thread to the variable before it, or ID_NONE; NULL: that is
                         * executed before the read anyway */
    uint32_t *group_of; /* write -> its rw group */
    uint32_t *next_in_group;

    /* the search */
    VEC(struct assumption) assumptions;
    VEC(struct decision_level) levels;
    VEC(struct clause) clauses;
    VEC(struct assumption) literals;
    VEC(struct assumption) learning;
    bool *blamed; /* per assumption */
    uint32_t blamed_room;
};

void serialize_init(struct serialize *s, struct forced_order *w, struct mem *m);

/* True: order[] explains the history. False: refuted, or it gave up. The forced order must be closed. */
bool serialize_run(struct serialize *s);

/* Without rw (forced_order.h) there is no execution: the order of each two writes of a variable is chosen. As above.
 * guess: when events seem to have happened. */
bool serialize_pairs(struct serialize *s, const uint32_t *guess);

/* The moves that executions are made of, for other searches. */
void serialize_reads(struct serialize *s);       /* reads and fences that can go on */
uint32_t serialize_advance(struct serialize *s); /* writes that need no choice; returns one that does, or ID_NONE */
bool serialize_can_write(const struct serialize *s, uint32_t lane); /* the next event of the lane */
void serialize_write(struct serialize *s, uint32_t lane);
void serialize_roll_back(struct serialize *s, uint32_t to);

/* For `conflict`: the conflict rests on this assumption. */
void serialize_blame(struct serialize *s, uint32_t assumption);

#endif
