/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of two values of a collection, for the search for a linearization (wgl.c).
 *
 * Idea. Leave all other values out of a stack, a deque or a priority queue, with all their operations. A linearization
 * of the history is a linearization of the rest. For the rest keeps its order, and empty stays empty
 * (collection_cut_as). So the history is refuted if the rest is, for any two values. Few operations of two values
 * overlap, so the rest is searched quickly. Most violations of repeated values are about two of them. They lie in the
 * wrong order, or one of them lies in the way.
 *
 * The same holds of a queue without times. Its order is that of the threads, and the rest keeps that, too.
 *
 * Operations that name no value belong to every pair: operations that found nothing, and pending removals. Parts with
 * initial values are not for this rule. The idea is that of shrinking violations, applied before there is one. */
#ifndef ASSAY_SEARCH_TWO_VALUES_H
#define ASSAY_SEARCH_TWO_VALUES_H

#include "engine/engine.h"
#include "search/calls.h"

struct two_values {
    const struct job *job;
    uint32_t *value; /* of each operation of the part: a number, or ID_NONE */
    uint32_t values;
    uint32_t u, v;  /* the pair; u > v */
    uint32_t pairs; /* so many were looked at */
    struct part part;
    uint32_t *ops; /* of that part */
};

/* False: the part is not for this rule. Memory from the job. */
bool two_values_begin(struct two_values *t, const struct job *job);
/* Takes the operations of the next pair. False: there is none, or there were many. */
bool two_values_next(struct two_values *t);

#endif
