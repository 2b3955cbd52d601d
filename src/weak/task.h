/* SPDX-License-Identifier: Apache-2.0 */
/* A search as a task: the question and its answer. The engines and the live checker share it. */
#ifndef ASSAY_WEAK_TASK_H
#define ASSAY_WEAK_TASK_H

#include "weak/weak.h"

struct weak_solution {     /* operations are places in the part */
    const uint32_t *order; /* the linearization */
    uint32_t length;
    const uint64_t *sees; /* of operation i: a set of `words` words at sees + i * words */
    uint32_t words;
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
};

/* Is there a solution that is enough? At most WEAK_MOST operations. */
bool weak_solve(struct weak_task *t);

#endif
