/* SPDX-License-Identifier: Apache-2.0 */
/* The operation at which a search that found no linearization (wgl.c) reports the violation.
 *
 * No linearization. In each state reached, consider the operation that returns first among the operations not
 * linearized. Let o be this operation in the state where its return is latest. Each state reached has some operation
 * open that returned no later than o. So the history up to the return of o is not linearizable, given the results that
 * the operations open then returned later. The history before that return is linearizable, by the trail of that state.
 * If states were left because of an operation that returns still later, the same holds of that one's return, but for
 * the last sentence. Then jit looks for o, if that is short. Else the whole is the proof. */
#ifndef ASSAY_SEARCH_CULPRIT_H
#define ASSAY_SEARCH_CULPRIT_H

#include "search/linear.h"

struct culprit {
    uint32_t lacking; /* of the operations that lacked a value, the one that returns last; or ID_NONE */
    uint32_t stuck;   /* the operation that could not be placed where the search got furthest, or ID_NONE */
    struct linear_answers allowed; /* results that it would have returned there */
};

/* All options have failed here. If the search got furthest here, notes the results that the operation that returns
 * first would have returned. */
void culprit_stuck(struct culprit *c, struct linear *x, uint32_t first, struct mem *m);

/* Notes an operation that cannot be linearized any more. False: there is none. */
static inline bool culprit_lacks(struct culprit *c, const struct linear *x, uint32_t i)
{
    if (i != ID_NONE && (c->lacking == ID_NONE || x->ends[i] > x->ends[c->lacking]))
        c->lacking = i;
    return i != ID_NONE;
}

/* Whichever of the two returns last, or ID_NONE. */
static inline uint32_t culprit_last(const struct culprit *c, const struct linear *x)
{
    bool later = c->stuck == ID_NONE || (c->lacking != ID_NONE && x->ends[c->lacking] > x->ends[c->stuck]);
    return later ? c->lacking : c->stuck;
}

/* The verdict of the search, with the operation to report. */
void culprit_refute(struct culprit *c, const struct linear *x, struct job *job);

#endif
