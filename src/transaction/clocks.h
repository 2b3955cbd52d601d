/* SPDX-License-Identifier: Apache-2.0 */
/* The causal past of each transaction, (base U wr)+, as a row of clocks: of each lane, how many of its transactions
 * precede it.
 *
 * A lane is a sequence of transactions each of which is in the past of the next. Sessions are lanes, but a history may
 * have thousands of them, or no session order at all. Then a transaction joins any lane that is wholly in its past. So
 * there are about as many lanes as transactions that ran at the same time. Lanes are opened as transactions are placed,
 * and a row has entries for the lanes that were open then. A transaction that precedes none needs no lane. */
#ifndef ASSAY_TRANSACTION_CLOCKS_H
#define ASSAY_TRANSACTION_CLOCKS_H

#include "transaction/dependencies.h"

struct clock_step { /* from the transaction that ended as number `ended` on */
    uint32_t ended, clock;
};

struct clock_steps {
    VEC(struct clock_step) at;
};

struct clocks {
    const struct txn_view *v;
    struct mem *m;
    bool by_session;        /* are the lanes the sessions, as these are few and long? */
    uint32_t *lane, *place; /* of a transaction: its lane, or ID_NONE, and its place there */
    VEC(uint32_t) length;   /* of a lane */
    size_t *row_at;         /* of a transaction: its row begins there, */
    uint32_t *width;        /* and has so many entries */
    uint16_t *entries;
    size_t used, room;
    uint32_t *row, *ended_row; /* of the transaction at hand; of all that ended: with room for each lane */
    uint32_t lanes_room;
    uint32_t ended;                /* so many ended */
    VEC(struct clock_steps) steps; /* of each lane: how ended_row grew */
};

/* May escape later, if the rows take too much memory. */
void clocks_init(struct clocks *c, const struct txn_view *v, struct mem *m);
/* Computes the row of t; those before it have theirs. */
void clocks_place(struct clocks *c, uint32_t t);

static inline uint32_t clocks_get(const struct clocks *c, uint32_t t, uint32_t lane)
{
    return lane < c->width[t] ? c->entries[c->row_at[t] + lane] : 0;
}

/* Is a in the past of b? */
static inline bool clocks_before(const struct clocks *c, uint32_t a, uint32_t b)
{
    return clocks_get(c, b, c->lane[a]) > c->place[a];
}

/* row has an entry for each lane. */
void clocks_load(const struct clocks *c, uint32_t t, uint32_t *row); /* row = the clocks of t */
void clocks_join(const struct clocks *c, uint32_t t, uint32_t *row); /* row = the later of both */

#endif
