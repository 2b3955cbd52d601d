/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that a counter can still reach, for the search for a linearization (wgl.c).
 *
 * Idea. A read, or an addition with a recorded result, demands a sum v. Let x be such an operation that is not
 * linearized, and s the present sum. Operations that return before x is called come before x. Of the others that are
 * called before x returns, some come before it and some do not. So v - s is the sum of the former and of a choice of
 * the latter. A lane (linear.h) is a chain of happens-before. So a choice has, of each lane, a first part. The sums of
 * all choices are computed lane by lane, as a set of bits. If v - s is not among them, the state is dead.
 *
 * The choices of several demands must fit together, which this rule does not ask: it is a relaxation, and the search
 * goes on. In general, whether additions make up given sums is NP-complete (subset sum).
 *
 * If the counter only rises, it has passed each lower sum for good. So a state is dead if some operation not linearized
 * demands a sum below the present one. Operations by the sum that they demand, and the first of them that is left, tell
 * this at once. The same of a counter that only falls.
 *
 * Before the search, a sweep compares each demand with the least and the greatest sum that is possible for it. A demand
 * beyond these bounds refutes the part; recheck adds them up again (recheck/bounds.c).
 *
 * The idea is this project's own. */
#ifndef ASSAY_SEARCH_SUMS_H
#define ASSAY_SEARCH_SUMS_H

#include "search/linear.h"

struct sums {
    const struct linear *x; /* NULL: the object is another one */
    int64_t *amount;        /* that each operation adds */
    int64_t *demanded;      /* the sum before it, ... */
    bool *demands;          /* ... if it demands one */
    int64_t initial, now;
    /* If the counter only rises, or only falls: the operations that demand a sum, in the order in which it comes by
     * their sums. All before `next` are linearized. */
    uint32_t *demanding, demanding_n, next;
    uint32_t *place; /* of each of them in this list */
    bool falls;
    bool pinned; /* most additions have results, so that the search need not be told */
};

/* Memory from the job. */
void sums_begin(struct sums *s, const struct linear *x, const struct job *job);
/* Refutes the part if a demand is out of its bounds. */
bool sums_refute(const struct sums *s, struct job *job);

/* The operation has been marked as linearized, or is not any more. */
static inline void sums_taken(struct sums *s, uint32_t i)
{
    if (!s->x)
        return;
    s->now += s->amount[i];
    while (s->next < s->demanding_n && s->x->done[s->demanding[s->next]])
        s->next++;
}
static inline void sums_given_back(struct sums *s, uint32_t i)
{
    if (!s->x)
        return;
    s->now -= s->amount[i];
    if (s->demanding_n && s->demands[i] && s->place[i] < s->next)
        s->next = s->place[i];
}

/* Does the operation demand another sum than the present one? Then it need not be tried. */
static inline bool sums_block(const struct sums *s, uint32_t i)
{
    return s->x && s->demands[i] && s->demanded[i] != s->now;
}

/* Has the sum gone past one that is still demanded? The operation, or ID_NONE. */
static inline uint32_t sums_passed(const struct sums *s)
{
    if (!s->x || s->next == s->demanding_n)
        return ID_NONE;
    uint32_t i = s->demanding[s->next];
    bool passed = s->falls ? s->now < s->demanded[i] : s->now > s->demanded[i];
    return passed ? i : ID_NONE;
}

/* A head of a lane whose sum cannot be reached any more, or ID_NONE. */
uint32_t sums_lack(const struct sums *s);

#endif
