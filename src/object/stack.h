/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the online checker `exact-stack` share: stack_row.h has the theory, stack_peeks.h that of
 * peeks. */
#ifndef ASSAY_OBJECT_STACK_H
#define ASSAY_OBJECT_STACK_H

#include "object/lifetimes.h"
#include "object/stack_row.h"

/* What lifetimes.h does not know of a value: its positions. They count the events that leave its line, by twos, so that
 * a peek's mark has a place of its own. 0: not yet, or never, since it covers nothing. */
struct stay {
    uint64_t c, r, q, t;
    bool peeked; /* peeks of it are remembered */
};

/* Of one peek (stack_peeks.h): gaps of a segment of the row, by the first of them. */
struct peek_part {
    uint64_t at, level;
};

struct peek {
    struct online_op op;
    uint64_t to; /* where it returned */
    VEC(struct peek_part) parts;
};

struct peeked { /* peeks of a value; what happens to gaps first .. last, at most, matters to them */
    uint32_t lifetime;
    uint64_t first, last;
    VEC(struct peek) peeks;
};

struct open_peek {
    uint32_t lifetime;
    uint64_t called; /* its step */
    uint64_t at;     /* its mark */
};

struct stack {
    struct lifetimes lifetimes; /* first */
    struct mem *mem;
    VEC(struct stay) stays; /* of lifetimes */
    uint64_t now;
    struct row row;
    VEC(struct open_peek) open_peeks;
    VEC(struct peeked) peeked;
    VEC(uint32_t) caught;  /* lifetimes that make a core with the others because of peeks */
    RING(uint32_t) gone;   /* lifetimes, held: values popped not long ago, to explain */
    uint64_t core;         /* where it begins, once there is one */
    struct online_op last; /* whose return, or call, completed it */
};

void stack_explain_core(const struct stack *s, struct online_fault *out, struct mem *m);

#endif
