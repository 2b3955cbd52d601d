/* SPDX-License-Identifier: Apache-2.0 */
/* The observations of one thread: hb_o for the thread's last operation o.
 *
 * The thread's reads, in program order, are the chain that forces edges (force.h). CM asks that they agree with
 * co on the past of o.
 *
 * Witness. For i = 1 .. m, place the events that D_i adds in a topological order of hb, and then r_i. In this sequence
 * every read of the thread returns the last value written: all other writes of its variable in D_i precede w_i.
 *
 * Without a witness fewer events need be placed. Only a source with edges waits for more than its causes, and a cycle
 * runs through such sources. So they are sorted alone, each by a row: its causes, and the events that its edges add.
 *
 * Source: CM as in the thesis, Definition 13 (a thread's last operation suffices). */
#ifndef ASSAY_MEMORY_OBSERVE_H
#define ASSAY_MEMORY_OBSERVE_H

#include "base/dirty.h"
#include "memory/causal.h"
#include "memory/force.h"

struct observe_sources { /* with edges: thread by thread, those of thread u are event[start[u]] .. */
    struct advance sort;
    struct dirty set; /* while they are collected */
    uint32_t *start, *event, *thread;
    uint32_t *need; /* rows: where each thread must have come to before */
    uint32_t *next; /* thread -> the position of its first source that is not placed; UINT32_MAX: there is none */
};

struct observe {
    const struct causal *c;
    struct force force;  /* its edges are the thread's */
    struct advance sort; /* after OBSERVED_CYCLE its done[] bounds the cycle through force.on_cycle */
    uint32_t thread;
    uint32_t *order; /* where placed events go, or NULL */
    uint32_t placed;
    struct observe_sources sources;
};

void observe_init(struct observe *o, const struct causal *c, struct mem *m, struct budget *budget, struct stats *stats);

/* One thread. With `order` (room for every event) the witness is stored there, `placed` events long. */
enum observation observe_thread(struct observe *o, uint32_t thread, uint32_t *order, uint32_t *read, uint32_t *later);

/* The edges that a thread forces, behind those that are there, without asking whether they agree. */
enum observation observe_edges(struct force *f, const struct causal *c, uint32_t thread, uint32_t *read,
                               uint32_t *later);

#endif
