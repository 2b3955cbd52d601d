/* SPDX-License-Identifier: Apache-2.0 */
/* The past of each event, in rows of positions, one per thread.
 *
 * Idea. There are three orders. The first is program order with wr. The second is ppo, the part that store buffers
 * preserve, with wr between threads. The third is program order on each variable with wr. In all of them the writes
 * that matter to an event are totally ordered within a thread. (In the last order these are the writes of its
 * variable.) So the writes of thread u that precede it are those before some position: entry u of the row. It is a
 * position in program order, in every order. A row changes only where the past grows, so events share rows.
 *
 * In ppo a thread has two pasts. The past of its next read comes from its reads and barriers. The past of its next
 * write is larger: events that forced orders put before its writes count, too.
 *
 * Invariant: a past that contains a write contains the write's past. An event's entry for its own thread is in its row
 * only where it differs from the event's position. This is so for a read in ppo, which overtakes the thread's writes.
 *
 * Source: clocks after Mattern and Fidge; one entry per thread also in the weaker orders is the argument above. */
#ifndef ASSAY_MEMORY_PASTS_H
#define ASSAY_MEMORY_PASTS_H

#include "base/group.h"
#include "memory/chains.h"

enum past_order { PAST_PROGRAM, PAST_PO, PAST_PPO, PAST_LOC };

struct pasts {
    const struct rw *v;
    struct mem *m;
    enum past_order order;
    const uint32_t *chain_of; /* event -> chain; for PAST_LOC those of a thread on a variable */
    uint32_t *now;            /* chain -> row of its past; for PAST_PPO two per thread: for reads, writes */
    uint32_t *row_of;         /* event -> row */
    uint32_t *rows;           /* row r is rows[r*k] .. */
    uint32_t count, room;
};

/* `loc`: the chains of PAST_LOC, else NULL. */
void pasts_init(struct pasts *p, const struct rw *v, enum past_order order, const struct chains *loc, struct mem *m);
void pasts_free(struct pasts *p);

/* The next event in an order that program order, wr and `more` agree with. more: event -> further events that
 * precede it; may be NULL. */
void pasts_place(struct pasts *p, uint32_t e, const struct groups *more);

static inline uint32_t *pasts_at(const struct pasts *p, uint32_t row)
{
    return p->rows + (size_t)row * p->v->k;
}

static inline const uint32_t *pasts_row(const struct pasts *p, uint32_t e)
{
    return pasts_at(p, p->row_of[e]);
}

/* The entry of e's own thread. */
static inline uint32_t pasts_own(const struct pasts *p, uint32_t e)
{
    uint32_t t = p->v->thread[e];
    return p->order == PAST_PPO && p->v->kind[e] == RW_READS ? pasts_row(p, e)[t] : e - p->v->base[t];
}

/* Does the write a precede e? */
static inline bool pasts_before(const struct pasts *p, uint32_t a, uint32_t e)
{
    uint32_t t = p->v->thread[a];
    return (t == p->v->thread[e] ? pasts_own(p, e) : pasts_row(p, e)[t]) > a - p->v->base[t];
}

static inline bool reads_from_other_thread(const struct rw *v, uint32_t e)
{
    return (v->kind[e] & RW_READS) && v->src[e] < RW_THIN && v->thread[v->src[e]] != v->thread[e];
}

#endif
