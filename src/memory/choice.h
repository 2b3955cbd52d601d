/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of sources as clauses of a SAT solver, in histories whose values are not unique.
 *
 * There is a variable for each candidate of a read, for each candidate of a declared final value, and for each event.
 * They say that the candidate is the source, that it is the last write, and that the open operation happened. Each read
 * that happened has a source, which happened, too. A read with one candidate has no choice, and needs no clause. */
#ifndef ASSAY_MEMORY_CHOICE_H
#define ASSAY_MEMORY_CHOICE_H

#include "memory/candidates.h"
#include "solver/sat.h"

struct choice {
    const struct rw *v;
    const struct candidates *candidates; /* NULL: the sources are known */
    struct sat *sat;
    struct mem *m;
    int first;      /* its first variable */
    uint32_t *src;  /* the sources chosen; RW_THIN: the read did not happen */
    bool *happened; /* of an open event */
    VEC(int) clause;
};

/* At first the sources are those of the view. */
void choice_init(struct choice *x, const struct rw *v, const struct candidates *c, struct sat *sat, int first,
                 struct mem *m);

/* The variables: of the i-th entry of candidates->final, of an event. */
int choice_final(const struct choice *x, uint32_t i);
int choice_open(const struct choice *x, uint32_t e);
/* The variable of the source that was chosen, or 0: there was no choice. */
int choice_chosen(const struct choice *x, uint32_t read);

/* The clauses. False: a read that happened has no candidate. */
bool choice_state(struct choice *x);
/* The clause: a implies b; 0 for a: b holds. */
void choice_imply(struct choice *x, int a, int b);

/* The solver has found a model: sets src and happened. */
void choice_read(struct choice *x);

static inline bool choice_is_open(const struct choice *x, uint32_t e)
{
    return e != RW_INIT && x->v->open && x->v->open[e];
}

#endif
