/* SPDX-License-Identifier: Apache-2.0 */
/* All linearizations at once, event by event, each operation as late as its return allows: of a recorded history
 * (object/jit.c), and of one that is still going on (object/exact_jit.c).
 *
 * Idea: a configuration is a state of the object together with which of the open operations have been linearized. A
 * call opens an operation. At a return, configurations in which the operation is not linearized yet are extended by
 * open ones, in every order, until it is; those that cannot be are dropped. When none is left, what happened up to
 * this return has no linearization. What an operation returns, and when, is known at its call. An open observer,
 * which with its result changes nothing whatever the state, is linearized as soon as it is legal: in any
 * linearization it can be moved to there, and nobody sees the difference. Of open operations that call the same and
 * return the same, the one that returns first is linearized first: they can change places, since all have been
 * called.
 *
 * Invariant: after an event, each configuration stands for a linearization of everything that has returned, and each
 * linearization is represented by one that has the same state and no fewer open operations linearized.
 *
 * Memory is that of the configurations, however long the history, unless the way to each is traced: then each step also
 * points to the one before it, and stays as long as the memory's owner. Equal states are kept once; that they are equal is
 * compared, if the specification says how, and configurations are compared by the numbers of their states.
 *
 * Source: Lowe 2017, just-in-time linearization. */
#ifndef ASSAY_OBJECT_CONFIGURATIONS_H
#define ASSAY_OBJECT_CONFIGURATIONS_H

#include "base/budget.h"
#include "spec/spec.h"

struct configurations;

struct configurations_setup {
    const assay_spec *spec;
    struct mem *mem;
    struct budget *budget;
    bool trace;
    /* What a call that returns would have returned instead; may be NULL. */
    void (*blocked)(void *arg, assay_value answer);
    void *arg;
    uint32_t most; /* configurations at a time; with more it gives up; 0: no limit */
};

struct open_call {
    const assay_call *call; /* must stay until it has returned */
    uint64_t end;           /* when it returns; UINT64_MAX: never, so that it need not take effect */
    bool observes;
    uint32_t tag; /* for the trace */
};

struct traced_step { /* from the last to the first */
    const struct traced_step *before;
    uint32_t tag;
};

/* The state is copied. */
struct configurations *configurations_new(const struct configurations_setup *s, void *state);
void configurations_free(struct configurations *c);
uint32_t configurations_call(struct configurations *c, struct open_call call); /* its slot */
/* False: no configuration survives the return. Before another call, ask whether it gave up. */
bool configurations_return(struct configurations *c, uint32_t slot);
struct configurations_part {
    assay_value key;
    struct configurations *of;
    uint32_t *slots; /* of its open operations: their slots in the whole, set by configurations_join */
};

/* The configurations of an object from those of its parts: any choice of one of each, since the linearizations of parts can
 * be merged in the order of time. The state is that of the object at first, and is changed. */
struct configurations *configurations_join(const struct configurations_setup *s, void *state,
                                           struct configurations_part *parts, uint32_t n);
uint32_t configurations_slots(const struct configurations *c); /* its slots are below this number */

bool configurations_exceeded(const struct configurations *c); /* it gave up, and has nothing more to say */
uint32_t configurations_count(const struct configurations *c);
const struct traced_step *configurations_trace(const struct configurations *c); /* of one of them */
const void *configurations_state(const struct configurations *c, uint32_t i);   /* of the i-th configuration */

#endif
