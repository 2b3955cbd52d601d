/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of writes of one variable whose order is open.
 *
 * A partial store order, from any source, decides the other pairs. In a pair, `first` is the write that a guess would
 * put first. Two transactions may write several variables in common, and their order is the same for all of these
 * (transaction/txn_events.h). So a pair of writes stands for a pair of operations, and these are numbered, from 1. */
#ifndef ASSAY_MEMORY_WRITE_PAIRS_H
#define ASSAY_MEMORY_WRITE_PAIRS_H

#include "base/budget.h"
#include "memory/rw.h"

struct known_order {                                         /* a transitive store order of some pairs */
    bool (*stored)(const void *arg, uint32_t v, uint32_t w); /* events: v before w; both write one variable */
    const void *arg;
};

/* The order that declared final values imply: the last write comes after all others. arg: a struct rw. */
bool known_final(const void *arg, uint32_t v, uint32_t w);

struct open_pair {
    uint32_t first, second; /* writes: accesses */
    uint32_t number;
};

struct pairs {
    const struct rw *v;
    struct known_order fixed;
    VEC(struct open_pair) open;
    VEC(uint32_t) shown;  /* by number, less 1: an open pair that has it */
    struct idmap number;  /* the operations of first, second -> their number */
    uint64_t most;        /* open pairs at most */
    uint32_t *fixed_wins; /* write -> how many writes of its variable come after it, by `fixed` */

    bool *value;    /* by number, less 1: first before second? Set by the caller, then pairs_count. */
    uint32_t *wins; /* as fixed_wins, with the open pairs as `value` has them */
    uint32_t *slot; /* scratch */
};

/* order: the writes of each variable; rank: the guess, by event. False: more than `most` open
 * pairs. */
bool pairs_init(struct pairs *p, const struct rw *v, const struct groups *order, const uint32_t *rank,
                struct known_order fixed, uint64_t most, struct mem *m, struct budget *budget);

/* Event v before w as a literal: the number of the pair, or the number of w before v with a minus; 0: fixed. */
int pairs_literal(const struct pairs *p, uint32_t v, uint32_t w);
/* The events of the pair with this number. */
void pairs_events(const struct pairs *p, uint32_t number, uint32_t *first, uint32_t *second);

/* With all values set. */
void pairs_count(struct pairs *p);
bool pairs_before(const struct pairs *p, uint32_t v, uint32_t w); /* writes: accesses */
/* Sorts the writes of x by how many come after each. False: two have as many, so the pairs are not
 * transitive. */
bool pairs_sort(struct pairs *p, uint32_t x, struct groups *order);

#endif
