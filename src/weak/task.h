/* SPDX-License-Identifier: Apache-2.0 */
/* A search as a task: the question and its answer. The engines and the live checker share it. */
#ifndef ASSAY_WEAK_TASK_H
#define ASSAY_WEAK_TASK_H

#include "search/linear.h"
#include "weak/weak.h"

struct weak_solution {     /* operations are places in the part */
    const uint32_t *order; /* the linearization */
    uint32_t length;
    const uint64_t *sees; /* of operation i: a set of `words` words at sees + i * words */
    uint32_t words;
};

enum { CHOICE_MOST = 3 };

struct weak_choice { /* beyond those that it must see, `by` sees these: its possible results then */
    uint32_t by, seen[CHOICE_MOST], n;
    struct linear_answers answers;
};

struct weak_view { /* the operations that `by` must see, and those that it may see, as far as it notices them */
    uint32_t by;
    VEC(uint32_t) must, may;
};

struct weak_task {
    struct job *job;
    bool by_return, naive;               /* as in weak.h */
    bool suspects;                       /* where the axioms are plain, they are searched for at once */
    const struct visibility *visibility; /* the axioms; NULL: as the job says */
    const void *start;                   /* the object's state before the part; NULL: its initial state */
    uint32_t effort;                     /* ticks of the budget before it is given up; 0: no limit */
    /* All solutions, but those that leave the object in the same state in the same way may be left out; else the first
     * one. */
    bool all;
    /* Complete visibility is not tried first, since it is known not to explain the part, or not soon. Set when that
     * turns out. */
    bool incomplete;
    bool (*found)(void *arg, const struct weak_solution *s); /* true: enough; NULL: the first solution is */
    void *arg;

    uint32_t
        culprit; /* if there is no solution: the operation that could not be placed where the search got furthest */
    VEC(uint32_t) accused; /* and those whose results contradict each other, where they were found (suspects.c) */
    bool gave_up;

    /* After weak_explain: */
    VEC(struct sight) sights;      /* the sights that the reason needs */
    bool alone;                    /* the culprit's result contradicts the sights by itself */
    struct linear_answers allowed; /* if so, the results that it could have returned */
    VEC(struct weak_view) views;   /* of the accused */
    VEC(struct weak_choice) choices;
    uint32_t late;    /* an operation that it must see, but that happens after it, or ID_NONE */
    bool sees_all;    /* the reason needs that the culprit sees all before it */
    bool irreducible; /* none of the accused can be left out */
};

/* The part has no solution: why? Sets `accused`, `culprit` and the fields behind it; if no reason is found, they stay.
 * May escape. */
void weak_explain(struct weak_task *t);

/* Is there a solution that is enough? At most WEAK_MOST operations. */
bool weak_solve(struct weak_task *t);

#endif
