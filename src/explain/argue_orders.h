/* SPDX-License-Identifier: Apache-2.0 */
/* The orders of an argument (argue.h): facts that follow from each other, and the cases that are left.
 *
 * A state has, for each pair of nodes, the fact that orders it. Facts are only added, so a case is a copy of the state,
 * and each fact belongs to the case in which it was found. Orders are closed under transitivity. */
#ifndef ASSAY_EXPLAIN_ARGUE_ORDERS_H
#define ASSAY_EXPLAIN_ARGUE_ORDERS_H

#include "engine/engine.h"

enum { ARGUE_NODES = 40, ARGUE_NO = 0xff, ARGUE_NO_FACT = 0 };

struct argue_node {
    enum { ARGUE_ADD, ARGUE_TAKE, ARGUE_PEEK, ARGUE_EMPTY, ARGUE_NEVER } kind;
    uint32_t op;    /* ASSAY_NO_OPERATION: an initial value is put in, or never taken out */
    uint32_t value; /* a number */
    struct value shown;
    uint8_t end;      /* of a deque: 0, the front; 1 */
    bool open;        /* it need not have taken effect */
    int64_t priority; /* of an add */
};

struct argue_fact {
    uint8_t from, to;
    enum argument_rule rule; /* ARGUMENT_TIME, ..; ARGUMENT_CHAIN: by the two facts below */
    uint32_t premise[3];     /* facts */
    uint8_t premises;
};

struct argue_state {
    uint32_t order[ARGUE_NODES][ARGUE_NODES]; /* facts, or ARGUE_NO_FACT */
    uint8_t match[ARGUE_NODES];               /* of a call that found a value: the add; or ARGUE_NO */
    uint8_t taker[ARGUE_NODES];               /* of an add; or ARGUE_NO: not known */
    bool out[ARGUE_NODES];                    /* of an open call: it did not take effect */
    uint32_t wrong[2];                        /* facts that contradict each other; ARGUE_NO_FACT: there are none */
};

struct argue_orders {
    struct mem *m;
    struct argue_node node[ARGUE_NODES];
    uint8_t n;
    bool by_priority;
    VEC(struct argue_fact) facts; /* the first one is none */
    uint32_t tries;
};

struct argue_orders *argue_orders_new(struct mem *m);
/* x is before y in time. */
void argue_in_time(struct argue_orders *a, struct argue_state *s, uint8_t x, uint8_t y);
/* Derives a contradiction, and adds lines to ev that tell it. False: there is none, or it is long. May escape. */
bool argue_contradiction(struct argue_orders *a, struct argue_state *s, struct explanation *x);

#endif
