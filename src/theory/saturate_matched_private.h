/* SPDX-License-Identifier: Apache-2.0 */
/* The state of saturate_matched.c, for the files that share it. */
#ifndef ASSAY_THEORY_SATURATE_MATCHED_PRIVATE_H
#define ASSAY_THEORY_SATURATE_MATCHED_PRIVATE_H

#include "base/bitset.h"
#include "base/ring.h"
#include "history/value_map.h"
#include "theory/rules.h"
#include "theory/saturate.h"

/* Why one operation comes before another; where there is nothing here, it returned before the other was called. */
struct fact {
    uint32_t from, to; /* nodes */
    uint32_t rule;     /* or one of those below */
    uint32_t finder;   /* node */
    uint32_t free;     /* pair */
};
enum { FACT_FOUND = RULE_MOST, FACT_SEEN, FACT_CYCLE, FACT_FORGOTTEN };

enum { MATCHED_LATE = 32 };                     /* operations; then the base is renewed */
enum { MATCHED_INITIAL = ASSAY_ANY_ARITY + 1 }; /* the method of initial values */

enum fault {
    FAULT_NONE,
    FAULT_ORDER,
    FAULT_UNKNOWN /* a value that was never added */,
    FAULT_TWICE,
    FAULT_IMPOSSIBLE /* an impossible result */
};

struct open_call {
    uint64_t called;
    struct value arg;
    unsigned method;
    uint32_t pair;       /* of an adder; ID_NONE: its value is ignored, or it is no adder */
    uint32_t prev, next; /* open calls in the order they came */
    bool takes;          /* it may remove something */
};

struct ambiguous_value { /* a value whose adders and removers cannot be told apart: all of them are left out */
    struct value value;
    uint32_t open, added, removed; /* adders that have not returned; that have; removers */
    uint64_t last;                 /* when one of these returned */
};

struct settling {
    uint64_t returned;
    uint32_t node;
};

/* Nodes are numbered plane * cap + index, so that a set of nodes is PLANES * w words and node n is bit n of it. The
 * adder and the remover of a pair have the same index in two planes. */
struct matched {
    const struct theory *theory;
    struct mem *mem;
    struct budget *budget;
    bool removal, least_first, ranked;
    struct rule rules[RULE_MOST];
    uint32_t rule_n;

    uint32_t w, cap;       /* words of a plane, 64 * w */
    uint32_t used;         /* words of a set: those behind it are zero, as nothing is in plane OTHER */
    uint64_t *pred, *succ; /* of each node; closed under transitivity, but succ of the base lacks `late` */
    uint64_t *active, *closed, *past, *dirty; /* past: returned, or before one that has */
    uint64_t *base, *late; /* nodes that precede every open call, as of some time; nodes that became active since
                            * then */
    uint32_t late_n;
    uint64_t *ahead;             /* active, and not returned */
    uint64_t *sources, *targets; /* of the fact being put in, as sets and as lists */
    uint32_t *source, *target;
    uint64_t *since;             /* of each node: it precedes all calls after this step; ONLINE_NEVER: it is not past */
    uint64_t *sees;              /* of each pair: plane OTHER */
    uint64_t *higher, *lower;    /* of each pair, if ranked: values of higher and lower priority */
    uint64_t *has_sees, *misses; /* one plane: pairs; plane OTHER */
    uint32_t miss_n;
    uint64_t *nowhere, *everywhere;  /* nothing; one plane: all */
    uint64_t *taken[2], *dropped[2]; /* indices in use; of these, dead: pairs; plane OTHER */
    void *room;                      /* where all of these are */
    struct online_op *op;            /* of each node */
    uint32_t *pair_of;               /* plane OTHER: of one that sees */
    struct value *value;             /* of each pair */
    bool *again; /* of each pair: the value had been there before, so an observation may mean that one */

    VEC(struct open_call) open; /* by slot */
    uint64_t *open_past;        /* by slot: the nodes that precede it */
    uint32_t oldest, newest;    /* open calls */
    uint32_t open_n;
    struct value_map pairs;        /* value -> pair */
    struct value_map ambiguity_of; /* value -> its place in ambiguous */
    VEC(struct ambiguous_value) ambiguous;
    RING(struct settling) settling;
    uint32_t closed_n; /* of those in the ring */
    VEC(struct fact) facts;

    enum fault fault;
    struct fact conflict; /* FAULT_ORDER: all its literals are false, or (FACT_CYCLE) from and to are in a cycle */
    struct online_op culprit;
    uint32_t twin; /* FAULT_TWICE: the other's node */
    uint64_t fault_step;
};

static inline uint32_t matched_words(const struct matched *p)
{
    return PLANES * p->w;
}

static inline uint64_t *matched_row(const struct matched *p, uint64_t *matrix, uint32_t node)
{
    return matrix + (size_t)node * matched_words(p);
}

static inline uint32_t matched_node(const struct matched *p, enum plane plane, uint32_t i)
{
    return (uint32_t)plane * p->cap + i;
}

static inline void matched_add_all(const struct matched *p, uint64_t *restrict to, const uint64_t *restrict from)
{
    for (uint32_t i = 0; i < p->used; i++)
        to[i] |= from[i];
}

enum range { ALL_PAIRS, UNREMOVED_PAIRS };

/* ---- saturate_matched_explain.c ---- */

void matched_explain(void *state, struct online_fault *out, struct mem *m);

/* ---- saturate_matched_facts.c: false after a contradiction, which is noted ---- */

bool matched_put_fact(struct matched *p, struct fact why);
bool matched_saturate(struct matched *p);
bool matched_apply_to_remover(struct matched *p, uint32_t remover, enum range range);
bool matched_apply_to_other(struct matched *p, uint32_t node, enum range range);

/* ---- saturate_matched_nodes.c ---- */

uint32_t matched_take_index(struct matched *p, int of_other);
uint32_t matched_new_pair(struct matched *p, struct value v);
void matched_activate(struct matched *p, uint32_t node, const uint64_t *past, struct online_op op);
void matched_complete(struct matched *p, uint32_t node, uint64_t step);
void matched_drop_other(struct matched *p, uint32_t node);
void matched_drop_pair(struct matched *p, uint32_t pair);

/* The base becomes the set of nodes that precede every open call now. */
void matched_renew_base(struct matched *p);

/* Makes room: forgets dead nodes, and changes the size if that is not enough. */
void matched_make_room(struct matched *p);
void matched_first_room(struct matched *p);
void matched_free_room(struct matched *p);

/* The two ends of a literal, given the finder and the free pair. */
void matched_ends(const struct matched *p, const struct literal *l, uint32_t finder, uint32_t pair, uint32_t *from,
                  uint32_t *to);

static inline uint32_t matched_fixed_pair(const struct matched *p, uint32_t finder)
{
    return finder >= 2 * p->cap ? p->pair_of[finder - 2 * p->cap] : finder - p->cap; /* ID_NONE: it found nothing */
}

#endif
