/* SPDX-License-Identifier: Apache-2.0 */
/* Axioms as rules for unit propagation, where the matching is known.
 *
 * Idea. A value's adder, its remover and the operations that see it make a pair (with witnesses). An axiom is about two
 * of them, a fixed and a free one. Of the fixed pair it names a finder x: its remover, or an operation that sees it.
 * (Or x is an operation that found nothing, and there is no fixed pair.) Since `before` is total, "not before(s, t)" is
 * "before(t, s)". So the axiom is a clause of literals before(s, t), each between an operation of the fixed and one of
 * the free pair. When all but one are false, the last must be true. So the contrapositives of an axiom need not be
 * written down. */
#ifndef ASSAY_THEORY_RULES_H
#define ASSAY_THEORY_RULES_H

#include "theory/theory.h"

enum plane { PLANE_ADD, PLANE_REMOVE, PLANE_OTHER, PLANES };

struct literal {    /* before(free, fixed) if free_first, else before(fixed, free) */
    bool of_finder; /* the fixed one is x; else the adder of x's value */
    bool free_first;
    enum plane plane; /* of the free one: the adder or the remover */
};

enum { RULE_LITERALS = 4, RULE_MOST = 8 };

struct rule {
    const struct theory_axiom *axiom;
    unsigned finders; /* roles of x: ROLE_REMOVE, ROLE_SEE, ROLE_MISS */
    bool ranked;      /* the free value has the higher priority */
    uint32_t n;
    struct literal at[RULE_LITERALS];
};

/* The rules of a theory. Axioms about one value only (a found value was added, and so on) define a pair, and give no
 * rules. Returns the number of rules. */
uint32_t rules_of(const struct theory *t, struct rule out[RULE_MOST]);

#endif
