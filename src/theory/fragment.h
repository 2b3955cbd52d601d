/* SPDX-License-Identifier: Apache-2.0 */
/* A fragment: a small set of operations, the known part of their order and matching, and unit propagation of a theory's
 * axioms over them. For theories whose matching is not given by the values.
 *
 * Idea. The facts are a strict order, closed, and for each finder the set of adders that it may have found. An instance
 * of an axiom is a clause: its premises negated, its conclusions, and "there is a W". The last is false when no
 * operation can be W any more; when only one can, it says so. If all literals but one are false, the last becomes a
 * fact. A bound counts. Adders and removers that certainly, or possibly, come before an operation give the least and
 * the greatest number that it can find. Where that leaves no choice, the choice is made.
 *
 * "There is" ranges over operations that have been called, returned or not. An operation called later comes after all
 * that returned before, and every axiom asks for a W that does not. "For all" ranges over operations that returned, or
 * are needed. */
#ifndef ASSAY_THEORY_FRAGMENT_H
#define ASSAY_THEORY_FRAGMENT_H

#include "base/bitset.h"
#include "theory/labels.h"

struct fragment_fact {
    const struct theory_axiom *axiom;
    uint32_t from, to;                /* ID_NONE: a contradiction */
    uint32_t bound[THEORY_VARIABLES]; /* ID_NONE: no such variable */
};

struct fragment_op {
    struct online_op op;
    unsigned roles;
    struct value value;
    bool known;     /* its value is */
    bool unchecked; /* its match is no longer known well enough */
};

struct fragment {
    const struct theory *theory;
    struct mem *mem;
    struct budget *budget;
    int64_t n; /* of bounds */
    bool least_first;
    int64_t level; /* adders less removers that have been forgotten; all of them come before all that is left */
    uint32_t w, cap, live;
    uint64_t *pred, *succ, *may; /* rows; may: of one that returned */
    uint64_t *taken, *used, *returned, *past, *sources, *targets;
    struct fragment_op *op;
    VEC(struct fragment_fact) facts;
    struct fragment_fact conflict;
    uint32_t impossible; /* the operation with an impossible result, or ID_NONE */
    bool changed;
    bool tagged;  /* a remover has named its value: axioms about tags count */
    bool unnamed; /* unless operations have been forgotten whose tags would matter */
};

void fragment_open(struct fragment *u, const struct theory *t, const struct online_setup *s);
void fragment_close(struct fragment *u);
uint32_t fragment_call(struct fragment *u, uint64_t step, unsigned method, struct value arg);
/* A value that was there at first, or is left of forgotten operations. */
uint32_t fragment_hold(struct fragment *u, struct value v, bool first); /* before others that were there at first? */
/* False: a contradiction. */
bool fragment_return(struct fragment *u, uint32_t i, uint64_t step, struct value result);
void fragment_drop(struct fragment *u, uint32_t i);
/* The step of the first call that has not returned; ONLINE_NEVER: none. */
uint64_t fragment_oldest(const struct fragment *u);

static inline uint64_t *fragment_row(const struct fragment *u, uint64_t *matrix, uint32_t i)
{
    return matrix + (size_t)i * u->w;
}

/* Appends the derivation. */
void fragment_explain(const struct fragment *u, struct online_fault *out, struct mem *m);

#endif
