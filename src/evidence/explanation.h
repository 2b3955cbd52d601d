/* SPDX-License-Identifier: Apache-2.0 */
/* Why a history violates its model, as data: what all reports tell, beyond the proof.
 *
 * What finds the violation leaves what it knows here, beside the evidence. explain/ adds the rest after the verdict.
 * From then on it does not change, and reports only read it. Nothing here is part of the proof. */
#ifndef ASSAY_EVIDENCE_EXPLANATION_H
#define ASSAY_EVIDENCE_EXPLANATION_H

#include "assay.h"
#include "base/vec.h"
#include "history/value.h"

struct evidence;

/* The operations that `by` must see, and those that it may see, as far as they could make a difference. */
struct sight_view {
    uint32_t by;
    uint32_t must_at, must_count, may_at, may_count; /* in explanation.sight_ops */
};

/* The results that `by` could return if it saw these beside the operations that it must see. */
struct sight_outcome {
    uint32_t by;
    uint32_t seen_at, seen_count;     /* in explanation.sight_ops */
    uint32_t answer_at, answer_count; /* in explanation.outcome_answers */
};

/* A line of an argument about a few calls of a collection (explain/argue.h). Orders are those of calls that took
 * effect. */
enum argument_rule {
    ARGUMENT_TIME,     /* the first returned before the second was called, or it is recorded to come before */
    ARGUMENT_FOUND,    /* the second found the value of the first */
    ARGUMENT_TAKEN,    /* the second took out the value that the first saw */
    ARGUMENT_START,    /* the first is an initial value */
    ARGUMENT_LAST,     /* the value of the second is not taken out at all */
    ARGUMENT_ASSUMED,  /* in this case */
    ARGUMENT_CHAIN,    /* by the orders below it */
    ARGUMENT_FIFO,     /* values leave in the order in which they came in */
    ARGUMENT_LIFO,     /* the value that came in last leaves first */
    ARGUMENT_NEARER,   /* of a deque: the value that lies nearer to the end leaves first */
    ARGUMENT_PRIORITY, /* the value of higher priority leaves first */
    ARGUMENT_EMPTY     /* a call found nothing, so what was there before has been taken out */
};

/* A call, or an end of the life of a value: if there is no call, it was there at first or is never taken out. */
struct argument_end {
    uint32_t op; /* or ASSAY_NO_OPERATION */
    struct value value;
    bool never;  /* it is never taken out */
    uint32_t of; /* then: by this call it was put in; or ASSAY_NO_OPERATION */
};

struct argument_order {
    struct argument_end from, to;
    enum argument_rule rule;
};

struct argument_line {
    enum { ARGUMENT_SO, ARGUMENT_BUT, ARGUMENT_IF_BEFORE, ARGUMENT_IF_FOUND, ARGUMENT_IF_NOT, ARGUMENT_NONE_LEFT } kind;
    uint32_t depth;
    struct argument_order order;  /* SO: it follows; IF_BEFORE: it is assumed; IF_FOUND: to found the value of from;
                                   * IF_NOT: to took none of them; NONE_LEFT: for to */
    uint32_t path_at, path_count; /* in argument.orders: SO: the premises; BUT: a circle */
};

struct argument {
    VEC(struct argument_line) lines; /* none: there is no argument */
    VEC(struct argument_order) orders;
    VEC(uint32_t) ops; /* that have no order, whatever the others do */
};

struct explanation {
    struct mem *mem;

    /* What finds the violation knows: */
    VEC(assay_value) allowed; /* possible results of the culprit where it cannot be placed */
    bool alone;               /* the culprit by itself contradicts the sights, or the amounts below */
    int64_t initial_sum;      /* SumChanged: of all balances */
    /* Of an object that counts something: the bounds of the amount at the culprit; behind it if it only changes the
     * amount. least > most: not known. Of a bank it is the balance of the account `counted`. Of a rwlock, `counted` is
     * 0 where readers are counted alone. */
    int64_t least, most;
    uint32_t counted;
    bool sees_all;                      /* weak consistency: the culprit must see all that come before it */
    bool irreducible;                   /* no suspect can be left out */
    VEC(struct sight_view) views;       /* of suspects */
    VEC(struct sight_outcome) outcomes; /* of suspects */
    VEC(uint32_t) sight_ops;
    VEC(assay_value) outcome_answers;
    struct argument argument;

    /* explain/ finds: */
    uint32_t unexplained; /* with its return the longest linearizable prefix ends, which says more than the proof; or
                           * ASSAY_NO_OPERATION */
    uint32_t at_fault;    /* a call without whose result there is a linearization; or ASSAY_NO_OPERATION */
    struct {
        const char *init; /* this initial value explains all reads of values that nobody wrote; NULL: there is none */
        uint32_t reads;   /* the number of these reads */
        assay_verdict verdict;
        bool suggested; /* instead, by so many first reads: it makes the history consistent */
    } assumed;

    /* And for a picture: */
    const struct evidence *prefix; /* its orders explain the longest linearizable prefix; NULL: it was not looked for */
    uint32_t prefix_end;           /* with its return that ends; or ASSAY_NO_OPERATION */
};

static inline struct explanation explanation_in(struct mem *m)
{
    return (struct explanation){.mem = m,
                                .least = 1,
                                .unexplained = ASSAY_NO_OPERATION,
                                .at_fault = ASSAY_NO_OPERATION,
                                .prefix_end = ASSAY_NO_OPERATION};
}

assay_value explanation_copy(struct explanation *x, assay_value value);
void explanation_allow(struct explanation *x, assay_value answer); /* a copy */

#endif
