/* SPDX-License-Identifier: Apache-2.0 */
/* The dependencies between transactions that every order of commits must contain: base order, wr, the version orders
 * that lists show (vo), and forced orders. The axiom of a level forces an order of t2 and t1:
 *
 *     t3 reads x from t1, t2 writes x, PHI(t2, t3)   =>   t2 before t1
 *
 * The premise PHI of rc, ra and tcc does not speak of the order of commits. So they leave nothing to choose, and hold
 * iff the dependencies have no cycle. The files forced_*.c find for each level enough forced orders to generate all of
 * them, with base order and wr. */
#ifndef ASSAY_TRANSACTION_DEPENDENCIES_H
#define ASSAY_TRANSACTION_DEPENDENCIES_H

#include "base/vec.h"
#include "engine/engine.h"
#include "memory/advance.h"
#include "transaction/view.h"

struct forced {              /* transactions: `from` before `to`, because `read` reads from `to` */
    uint32_t from, to, read; /* to: TXN_INIT, which is impossible */
};

struct dependencies {
    const history *h;
    const struct txn_view *v;
    struct mem *m;
    struct budget *budget;
    struct stats *stats;
    VEC(struct forced) forced;
    uint32_t impossible;  /* one of them, or ID_NONE */
    uint32_t two_sources; /* a transaction that read one key from two sources, or ID_NONE */

    struct groups into; /* of a transaction: the forced orders that end with it; once they are sorted */
    struct advance sort;
    uint32_t *order, placed;
    uint32_t ended;                                    /* of those that ended, by time: so many are placed */
    void (*place)(struct dependencies *d, uint32_t t); /* or NULL */
    void *arg;
};

void dependencies_init(struct dependencies *d, const struct job *job);

/* Sorts all dependencies found so far into d->order; calls d->place. False: they have a cycle among the transactions
 * that were not placed. */
bool dependencies_sort(struct dependencies *d);

/* Find the forced orders of the level; they may set impossible or two_sources and stop. */
void force_rc(struct dependencies *d);
void force_ra(struct dependencies *d);
/* Sorts before, for the clocks. False: there is a cycle already. */
bool force_tcc(struct dependencies *d);

/* Why is the level violated? Fills in the evidence of the result. */
void dependencies_explain(struct dependencies *d, const struct job *job);

static inline uint32_t dependencies_source(const struct txn_view *v, const struct txn_read *r) /* a transaction */
{
    return r->source == TXN_INIT ? TXN_INIT : v->writer[r->source];
}

static inline void dependencies_force(struct dependencies *d, uint32_t from, uint32_t to, uint32_t read)
{
    struct forced f = {from, to, read};
    if (to == TXN_INIT && d->impossible == ID_NONE)
        d->impossible = d->forced.n;
    vec_push(d->m, &d->forced, f);
}

#endif
