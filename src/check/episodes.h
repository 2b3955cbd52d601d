/* SPDX-License-Identifier: Apache-2.0 */
/* Episodes: how long a value is in an object, for cuts of calls whose values repeat.
 *
 * Some calls add a value to the content of an object, some remove one: those of a queue, stack, deque, priority queue,
 * set or multiset. A call that takes a lock or semaphore adds a holder, and a release removes one. An episode of a
 * value has all calls that name it between two moments. At both moments no call that names it is open, and all that was
 * added, or was there at first, has been removed. All calls of an episode go together, but for the first one of a value
 * that was there at first. The rest is consistent if the whole was.
 *
 * Proof. Take an order that explains the whole. The calls of the episode stand behind all calls of the value before
 * the first moment, and before all calls of it after the second. Before and behind them the value is not in the
 * object. So they add it as often as they remove it: if a pending removal had taken it meanwhile, fewer than none
 * would be left. Leave them out. The other values keep their order, and an object that was empty still is. A lock or
 * semaphore is as it was at first, before and behind the episode. */
#ifndef ASSAY_CHECK_EPISODES_H
#define ASSAY_CHECK_EPISODES_H

#include "search/calls.h"

struct content_use {
    assay_value value; /* that the call names; of a lock and the like always the same one */
    int8_t change;     /* 1: it adds the value; -1: it removes it; 0: neither */
    bool unknown;      /* it is not known which */
};

/* False: the object is of another kind, its initial content is not known, or the call may be about any value. */
bool content_use(const struct part *part, const assay_call *call, struct content_use *out);

struct named_value { /* by a call */
    uint32_t value;  /* a number, or ID_NONE */
    int8_t change;   /* as above */
    bool unknown;
};

/* Numbers the episodes. of[op].value < values becomes the number of its episode. There are held[v] of the value v at
 * first, and its first episode has the number v. Returns how many episodes there are. Without real time each value has
 * one. Memory from m; may escape. */
uint32_t episodes_find(const struct calls *c, struct named_value *of, uint32_t values, const uint32_t *held,
                       struct mem *m);

#endif
