/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges: the state before and after a call, as far as the call and its result tell it. The object's state is one
 * value. Such objects are a register, a variable of a memory and a key of a map. A value of a set (in or out) and a
 * lock (held or free) are such objects, too. */
#ifndef ASSAY_SEARCH_EXCHANGE_H
#define ASSAY_SEARCH_EXCHANGE_H

#include "engine/engine.h"

struct exchange {               /* kind ASSAY_NONE: the call and its result do not tell */
    struct value before, after; /* after: nothing, too, if it is the same */
    struct value not_before;    /* a value that was not there before it */
};

/* The two states of a value of a set, and of a lock. */
static const struct value exchange_out = {0, ASSAY_INT}, exchange_in = {1, ASSAY_INT};

/* Is the state of the job's part one value? */
bool exchange_is_for(const struct job *job);
struct value exchange_initial(const struct job *job);
/* A pending call tells nothing about the state before it. */
struct exchange exchange_of(const struct job *job, uint32_t op);

#endif
