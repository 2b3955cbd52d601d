/* SPDX-License-Identifier: Apache-2.0 */
/* Completing the store order with a SAT solver and lazy cycle clauses.
 *
 * One variable for each pair of writes of a variable whose order is open. The solver is asked for an order of all
 * pairs. Where the pairs of a variable are not transitive, three of them form a cycle. Else the history with that store
 * order has acyclic graphs, and is explained, or it has short cycles. Each cycle becomes the clause "not all of the
 * pairs on it". The solver is asked again, until it finds an order or there is none. Variables are numbered so that the
 * solver's first guess is the order in which the writes seem to have happened.
 *
 * Where values are not unique, the solver also chooses the source of each read. There is a variable for each candidate,
 * one of which must hold, and cycles name the choices they rest on. It also chooses the open pending operations that
 * happened (pending.h).
 *
 * Evidence: a lemma for each clause, and the clauses that the solver learned. If a saturation has fixed pairs, each
 * lemma is proved anew in a forced order, whose forced edges bring their reasons. Else it is written as it was found.
 *
 * Source: the reduction to SAT of the thesis (sections 4.2.3 and 5.3); clauses on demand as in SMT
 * solvers. */
#ifndef ASSAY_MEMORY_LAZY_H
#define ASSAY_MEMORY_LAZY_H

#include "memory/choice.h"
#include "memory/serial.h"
#include "memory/solver.h"
#include "memory/stored.h"
#include "memory/write_pairs.h"

struct lazy_lemma { /* a cycle: steps[at] .. */
    uint32_t at, count;
    uint32_t frame;
};

struct lazy {
    struct job *job;
    struct frames frames;
    struct stored stored;
    struct pairs pairs;
    const struct candidates *candidates; /* NULL: the sources are known */
    struct choice choice;
    const uint32_t *rank; /* of an event: the guess */
    struct known_order fixed;
    const struct causal *causal; /* of a saturated history, else NULL: lemmas are written as found */
    struct forced_order *forced; /* closed, if there is one already */
    struct sat sat;

    bool refuted; /* a cycle without choices */
    bool found;   /* an order */

    VEC(struct stored_step) steps;
    VEC(struct lazy_lemma) lemmas;
    VEC(int) clause;
    VEC(int) learned; /* clauses one after another, each closed by 0 */
    uint32_t *covered, round;
};

/* The pairs that a closed forced order knows. arg: that. */
bool known_forced(const void *arg, uint32_t v, uint32_t w);

/* The pairs of writes, all taken as open; are they not too many? */
uint64_t lazy_pairs(const struct rw *v);
bool lazy_fits(const struct rw *v);

/* There are few pairs for so many threads: a solver is cheaper than clocks and a search. The effort of an execution
 * with repair before it is asked (repair.h). */
bool lazy_is_cheap(const struct rw *v);
uint64_t lazy_effort(const struct rw *v);

/* After so many conflicts of a search of our own the solver is asked. Each costs about a closure of the clocks, which
 * have so many cells. 0: never, there is no solver, or there are too many pairs for one. */
uint64_t lazy_after(const struct rw *v, uint64_t cells);

/* Is there a store order that explains the history? Then stored.sorted has the events in an order that does. Else the
 * refutation is written. The fields job, fixed, rank, causal, forced order and candidates are the caller's. */
bool lazy_order(struct lazy *l);

/* The engines' whole run: decides job->model's condition. */
void lazy_run(struct lazy *l);

#endif
