/* SPDX-License-Identifier: Apache-2.0 */
/* A history as the domain over which a theory's variables range. It has all operations so far, returned or not, and the
 * truth of atoms as far as labels and real time decide it. For the checkers that keep the history. */
#ifndef ASSAY_THEORY_DOMAIN_H
#define ASSAY_THEORY_DOMAIN_H

#include "theory/labels.h"

struct domain_op {
    struct online_op op;
    const struct call_label *label; /* NULL: it does nothing, or (once returned) cannot be */
    bool initial;
};

struct domain {
    const struct theory *theory;
    struct mem *mem;
    bool least_first;
    unsigned matched; /* theory_matched */
    bool tagged;      /* a remover has named its value: axioms about tags count */
    int64_t n;        /* of bounds */
    VEC(struct domain_op) ops;
    VEC(uint32_t) slots; /* open call -> operation */
    uint64_t step;       /* of the last return */
    uint32_t open_n;
};

void domain_open(struct domain *d, const struct theory *t, const struct online_setup *s);
void domain_close(struct domain *d);
uint32_t domain_call(struct domain *d, uint32_t slot, uint64_t step, unsigned method, struct value arg);
uint32_t domain_return(struct domain *d, uint32_t slot, uint64_t step, struct value result);

/* Hooks of struct online, for a checker that is exact at every return and whose state begins with its domain. */
enum online_verdict domain_finish(void *state); /* the last return was judged with all possible effects of open calls */
void domain_explain(void *state, struct online_fault *out, struct mem *m); /* all operations, and the sentence */
void domain_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t domain_live(const void *state);

static inline bool domain_returned(const struct domain *d, uint32_t i)
{
    return d->ops.at[i].op.returned != ONLINE_NEVER;
}

static inline unsigned domain_roles(const struct domain *d, uint32_t i)
{
    return d->ops.at[i].label ? d->ops.at[i].label->roles : 0;
}

/* Does the axiom say anything that does not follow from others? */
static inline bool domain_counts(const struct domain *d, const struct theory_axiom *a)
{
    return d->tagged || !a->tagged;
}

/* Happens-before. */
static inline bool domain_before(const struct domain *d, uint32_t a, uint32_t b)
{
    const struct domain_op *x = &d->ops.at[a], *y = &d->ops.at[b];
    if (x->initial && y->initial)
        return a < b && d->theory->initial == INITIAL_SEQUENCE;
    return x->op.returned < y->op.called;
}

/* May the finder have found the adder's value, as far as labels and real time tell? */
bool domain_can_match(const struct domain *d, uint32_t adder, uint32_t finder);
/* LESS, SAME, OTHER. */
bool domain_holds(const struct domain *d, enum theory_predicate predicate, uint32_t x, uint32_t y);

/* "+r": forgets operations without further consequences, by real time alone (saturate_matched.c does it for derived
 * facts). Values that occur twice are kept. False: there was nothing to forget. */
bool domain_forget(struct domain *d);

#endif
