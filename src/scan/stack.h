/* SPDX-License-Identifier: Apache-2.0 */
/* Data of the online checker `exact-stack` that its files share. stack_row.h has the theory, and stack_peeks.h the
 * theory of peeks. */
#ifndef ASSAY_SCAN_STACK_H
#define ASSAY_SCAN_STACK_H

#include "scan/lifetimes.h"
#include "scan/stack_row.h"

/* Positions of a value: c, r, q and t of stack_row.h. They count the events that lifetimes.h hands on, by twos, so that
 * the mark of a peek has a position of its own. 0: the event has not come yet, or never comes because the value covers
 * nothing. */
struct stay {
    uint64_t c, r, q, t;
    bool peeked; /* some of its peeks are kept */
};

/* A part of a peek (stack_peeks.h): gaps of one segment of the row, named by the first of them. */
struct peek_part {
    uint64_t at, level;
};

struct peek {
    struct online_op op;
    uint64_t to; /* position of its return */
    VEC(struct peek_part) parts;
};

struct peeked { /* peeks of a value; only changes at the gaps first .. last can matter to them */
    uint32_t lifetime;
    uint64_t first, last;
    VEC(struct peek) peeks;
};

struct open_peek {
    uint32_t lifetime;
    uint64_t called; /* step of its call */
    uint64_t at;     /* position of its mark */
};

struct stack {
    struct lifetimes lifetimes; /* must be first */
    struct mem *mem;
    VEC(struct stay) stays; /* by lifetime */
    uint64_t now;
    struct row row;
    VEC(struct open_peek) open_peeks;
    VEC(struct peeked) peeked;
    VEC(uint32_t) caught;  /* lifetimes that belong to the core because of peeks */
    RING(uint32_t) gone;   /* held lifetimes of values popped not long ago, for reports */
    uint64_t core;         /* the A of the core, or ROW_NEVER */
    struct online_op last; /* the operation whose return, or call, completed the core */
};

void stack_explain_core(const struct stack *s, struct online_fault *out, struct mem *m);

#endif
