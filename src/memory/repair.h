/* SPDX-License-Identifier: Apache-2.0 */
/* Execution with repair: an order of all events that explains every read, found without saturation; or nothing.
 *
 * Idea. Events are executed as in serialize.h, but without clocks. A lane stops where its next event cannot be executed
 * now. It waits for one event that must be executed before. A read waits for its source, a write of x for a reader of
 * the value that x holds. A write whose readers could not follow it at once waits, too, until nothing else can move.
 * Then the one that seems to have happened first is executed.
 *
 * When lanes wait for each other in a circle, the execution was wrong somewhere. Some of these waits exist in every
 * execution. The others exist because a write `early` was executed before a write `late` of the same variable. Not all
 * of these pairs can hold (a clause). The events from the latest `early` on are taken back. From now on that `early`
 * waits for its `late`: an order, as long as the other pairs hold. A pair of the same `early` is taken back, too. It is
 * assumed to come again: a step of its own that can be taken back. The order is void once the pair came the other way
 * round. When an order is part of a circle, the pairs that force it are to blame. So only the causes of a circle are
 * changed, close to the mistake, while saturation derives all forced orders.
 *
 * The search gives up when a circle rests on no pair, and when it has taken back too much. (In the first case there is
 * no order at all, but other code proves that.) Its result needs no trust: each read returned the value in the memory,
 * or in its thread's buffer.
 *
 * Invariant: no write is executed while a reader of the value it overwrites is left (but for itself, an rmw). So the
 * source of a read that is not executed is current or not executed.
 *
 * Source: dynamic backtracking (Ginsberg, 1993) with the clauses of lazy, cycle-driven checkers; waiting for one
 * reason at a time as in advance.h; the combination is ours. */
#ifndef ASSAY_MEMORY_REPAIR_H
#define ASSAY_MEMORY_REPAIR_H

#include "base/budget.h"
#include "memory/frame.h"

/* Why the next event of a lane is not executed. */
enum repair_wait {
    REPAIR_FREE,
    REPAIR_FIXED,  /* in no execution does it come before the event it waits for */
    REPAIR_PAIR,   /* nor in one with `pair` */
    REPAIR_ORDER,  /* nor in one that follows `order` */
    REPAIR_CHOICE, /* it could be executed, but its readers could not follow at once */
};

struct repair_pair { /* writes of one variable */
    uint32_t early, late;
    uint32_t since; /* where in the log `early` is executed, or the pair is assumed */
};

struct repair_order { /* `first` is executed before `write` */
    uint32_t first, write;
    uint32_t next;       /* of the same write, or ID_NONE */
    uint32_t why, count; /* pairs that force it: reasons[why] .. */
    uint32_t assumed;    /* so many of them, the last ones, are assumed */
    uint32_t depth;      /* it goes when the log gets shorter than this */
};

struct repair_lane {
    uint32_t done; /* executed events */
    uint32_t most; /* that were executed at a time, as far as they were taken back */
    bool asleep;   /* it waits, until `awaited` is executed */
    bool listed;   /* among the undecided ones */
    enum repair_wait why;
    uint32_t awaited;
    struct repair_pair pair;
    uint32_t order;
    uint32_t waiters, next_waiter; /* lanes that wait for this one; the next that waits for the same */
    uint32_t wake;                 /* the first position that a lane waits for, or ID_NONE */
};

/* Events that must come before an event in every execution, beside the demands of the memory: by real time, or by
 * recorded knowledge. */
struct repair_rule {
    /* An event that is not executed and must come before e, or ID_NONE. */
    uint32_t (*blocker)(void *arg, uint32_t e);
    void (*taken_back)(void *arg, uint32_t e);
    void *arg;
};

struct repair {
    const struct rw *v;
    struct mem *m;
    struct budget *budget;
    struct repair_rule rule; /* to be set after repair_init; without functions: there is none */
    const uint32_t *key;     /* a guess when events happened: choices prefer smaller ones */

    uint32_t *order;   /* all events, when found */
    VEC(uint32_t) log; /* executed events, and where a pair was assumed */
    uint32_t executed;
    uint64_t choices, conflicts;
    bool refuted;         /* a circle rests on no pair: there is no order of the events that were tried */
    uint64_t effort;      /* events taken back, and steps of about the same work */
    uint64_t most_effort; /* the search gives up beyond it; repair_init says: before it costs as much as saturation */

    /* the lanes: threads; for TSO a thread's reads, and its writes; for PSO its writes of each variable */
    struct chains chains;
    struct repair_lane *lane;
    uint32_t *ready, ready_count;
    uint32_t *prior;         /* prior_in_buffers, prior_in_variables; NULL: a thread has one lane */
    bool drains;             /* PSO: a fence or an rmw waits for several lanes of writes */
    VEC(uint32_t) undecided; /* lanes that have a choice, and perhaps some that no longer have */

    /* the memory */
    uint32_t *when;     /* event -> its place in the log, or ID_NONE */
    uint32_t *current;  /* variable -> the write it holds, an access, or v->a + variable: the initial value */
    uint32_t *replaced; /* write -> the write that it overwrote */
    uint32_t *left;     /* write, v->a + variable -> readers not executed */
    uint32_t *own;      /* own_writes; NULL: they are executed before the read anyway */
    struct groups last_readers;

    /* the repairs */
    VEC(struct repair_order) orders;
    VEC(uint32_t) scoped; /* orders with a depth, by depth */
    VEC(struct repair_pair) reasons;
    VEC(struct repair_pair) blamed; /* of the circle looked at last */
    uint32_t *orders_of;            /* write -> its latest order, or ID_NONE */
};

/* All values read have a write. */
void repair_init(struct repair *r, const struct rw *v, enum buffering memory, const uint32_t *key, struct mem *m,
                 struct budget *budget);
void repair_free(struct repair *r); /* all but order[] */

/* The rule of program order across threads (across.h). */
void repair_across(struct repair *r);

/* True: order[] explains the history. False: nothing is known. */
bool repair_run(struct repair *r);

/* For a rule: is the event executed? The next event of a thread, or ID_NONE; sequential consistency only. */
static inline bool repair_executed(const struct repair *r, uint32_t e)
{
    return r->when[e] != ID_NONE;
}
static inline uint32_t repair_next(const struct repair *r, uint32_t thread)
{
    uint32_t e = r->v->base[thread] + r->lane[thread].done;
    return e < r->v->base[thread + 1] ? e : ID_NONE;
}

#endif
