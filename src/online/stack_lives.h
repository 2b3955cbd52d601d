/* SPDX-License-Identifier: Apache-2.0 */
/* What the online checker `exact-stack` remembers of values (its parts share this). */
#ifndef ASSAY_ONLINE_STACK_LIVES_H
#define ASSAY_ONLINE_STACK_LIVES_H

#include "base/ring.h"
#include "history/value_table.h"
#include "online/scan.h"
#include "online/stack_row.h"

/* One stay of a value on the stack. Positions are even for events, with room for the marks of peeks; 0: not yet. */
struct life {
    struct value value;
    uint64_t c, r, q, t; /* tuned (stack_row.h) */
    struct online_op push, pop;
    struct online_op first, last; /* those whose return is r, and whose call is q */
    uint64_t doubt;               /* until then it may turn out that q was another value's, if this is pushed again */
    uint32_t pushes, pops;        /* pushes called, pops returned */
    uint32_t open;                /* operations of this value that have not returned */
    bool over;                    /* its pop has returned */
    bool left_out;                /* the value is on the stack twice, perhaps */
    bool peeked;                  /* peeks of it are remembered */
};

/* Of one peek (stack_peeks.h): gaps of a segment of the row, by the first of them. */
struct peek_part {
    uint64_t at, level;
};

struct peek {
    struct online_op op;
    VEC(struct peek_part) parts;
};

struct peeked { /* peeks of a value; what happens to gaps first .. last, at most, matters to them */
    uint32_t life;
    uint64_t first, last;
    VEC(struct peek) peeks;
};

struct stack_empty { /* an operation that found nothing, and has not returned */
    struct online_op op;
    uint64_t gap; /* the first that no value covers, or 0 */
};

enum stack_fault {
    STACK_NEVER_PUSHED,
    STACK_POPPED_TWICE,
    STACK_SEEN_AFTER,
    STACK_NOT_EMPTY,
    STACK_CORE
};

struct stack_case { /* what is wrong, and all that is needed to explain it */
    enum stack_fault kind;
    uint64_t step;
    struct online_op culprit;
    VEC(struct life) lives;
    uint64_t from, to; /* positions A and B of the core */
};

struct stack {
    struct mem *mem;
    uint64_t before; /* positions of initial values */
    struct row row;
    struct value_table of_value;
    VEC(struct life) lives;
    VEC(uint32_t) unused;
    RING(uint32_t) over; /* lives that are over, but may be needed to explain */
    uint32_t covering;   /* values that cover the gap now */
    VEC(struct stack_empty) empties;
    struct stack_empty last_empty; /* of those that have returned, the one with the last gap */
    VEC(struct peeked) peeked;
    VEC(uint32_t) caught; /* lives that make a core with the others because of peeks */
    uint64_t doubt; /* a violation found before then is held back */
    bool held;
    struct stack_case fault;
    struct text weakened;
};

static inline uint64_t stack_position(const struct stack *s, uint64_t step)
{
    return s->before + 2 * step;
}

static inline uint64_t stack_step(const struct stack *s, uint64_t position)
{
    return (position - s->before) / 2;
}

static inline bool life_covers(const struct life *x, uint64_t gap, uint64_t now)
{
    return x->r && x->r <= gap && gap < (x->q ? x->q : now);
}

/* Notes what is wrong: the values that cover gaps of from .. to-1 with keys of `least` or more. */
void stack_note(struct stack *s, enum stack_fault kind, const struct online_op *culprit, uint64_t now);
void stack_note_cover(struct stack *s, uint64_t from, uint64_t to, bool core);
void stack_explain(const struct stack *s, struct online_fault *out, struct mem *m);

#endif
