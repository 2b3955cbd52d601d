/* SPDX-License-Identifier: Apache-2.0 */
/* Theories: concurrent objects as formulas over operations, as data. Members are listed in theory.def.
 *
 * A history is admitted iff all axioms are true for some order `before` that extends happens-before, some matching, and
 * some choice of unreturned operations. Source: Emmi, Enea, Hamza: Monitoring refinement via symbolic reasoning,
 * PLDI 2015. The axioms here are those of its figures 3 to 7 with their slips corrected, see
 * docs/internals/algorithms.md.
 *
 * A label (spec/facts.h) gives an operation, by its method and outcome, a set of roles, which are the unary predicates,
 * and a value. An operation without one: if it has not returned, it does nothing; a returned one cannot have this
 * outcome.
 * match(x, y) says that y found the value that x added. It may hold only if x is an adder, y finds something, and their
 * values are equal (THEORY_SWAP: if each returned the other's argument). A finder that returned no value, although its
 * label says that the value is its result, may have found any.
 *
 * An axiom is about all V1, V2, V3 with these roles (as many as are named). If all of `given` hold, then one of `then`
 * does, or there is a W with the role `exists` for which all of `such` hold. Or it counts the adders without a remover
 * before V1. Operations that never returned take part only if they are used: "for all" is guarded by an implication,
 * "exists" by a conjunction. Their results are unknown. An operation that finds nothing changes nothing. So they are
 * labelled by their effect if they have one, and an operation that cannot have an effect has no label. An outcome
 * without a label is impossible.
 *
 * Unless the theory is about intervals (`atomic` false), `before` is a strict total order: that axiom is built in. So
 * is another axiom: a finder has at most one match (match is a function of its second argument). */
#ifndef ASSAY_THEORY_THEORY_H
#define ASSAY_THEORY_THEORY_H

#include "spec/facts.h"

enum theory_variable { V1, V2, V3, W };

enum theory_predicate {
    THEORY_END,
    BEFORE,
    MATCH, /* y found the value that x added */
    LESS,  /* the value of x has a lower priority than that of y */
    SAME,  /* x and y have the same value */
    OTHER  /* x and y are different operations */
};

struct theory_atom {
    enum theory_predicate predicate;
    enum theory_variable x, y;
};

enum theory_bound { BOUND_NONE, BOUND_ROOM /* fewer than n */, BOUND_FULL /* n */, BOUND_HELD /* at least 1 */ };

enum { THEORY_VARIABLES = 3, THEORY_ATOMS = 4 };

struct theory_axiom {
    const char *name;
    const char *says;                                           /* the end of a sentence "... because ..." */
    unsigned forall[THEORY_VARIABLES];                          /* a role each, one of these; 0: no more variables */
    struct theory_atom given[THEORY_ATOMS], then[THEORY_ATOMS]; /* up to THEORY_END */
    unsigned exists;
    struct theory_atom such[THEORY_ATOMS];
    enum theory_bound bound; /* of adders less removers before V1; n is the object's parameter */
    bool tagged;             /* it follows from the others unless a remover names its value (theory_names) */
};

enum theory_initial { INITIAL_NONE, INITIAL_SEQUENCE, INITIAL_VALUES, INITIAL_ONE /* default: the integer 0 */ };

struct theory {
    const char *name;                         /* the object's */
    const struct call_label *labels;          /* those of the object's facts, or of a user's theory */
    const struct theory_axiom *const *axioms; /* up to NULL */
    bool interval;                            /* `before` is happens-before itself, not a total order */
    bool ambiguous;                           /* the matching is not a function of the values */
    bool by_value;                            /* operations with different values are independent */
    bool overwrites;                          /* a value stays until the next adder */
    enum theory_initial initial; /* the meaning of `@init`: adders before everything else, in this order or in
                                        * none */
};

extern const struct theory *const theory_table[]; /* up to NULL */
/* The theory of the library's object of this name, or NULL. */
const struct theory *theory_find(const char *object);

/* The roles of operations that an axiom matches with some adder; of all axioms, or of those that are not about tags. */
unsigned theory_matched(const struct theory *t, bool tagged);

/* Does a remover with this label and result name its value, where it need not? */
static inline bool theory_names(const struct call_label *l, struct value returned)
{
    return l && (l->roles & ROLE_REMOVE) && l->value == VALUE_RESULT && returned.kind != ASSAY_NONE;
}

/* Axioms that several theories share. */
extern const struct theory_axiom axiom_found, axiom_taken_once, axiom_seen_before_taken, axiom_empty;
extern const struct theory_axiom axiom_holder, axiom_released_once; /* of a lock, of a semaphore */

#endif
