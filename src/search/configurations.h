/* SPDX-License-Identifier: Apache-2.0 */
/* All linearizations at once, event by event, with each operation as late as its return allows. The history is recorded
 * (search/jit.c) or live (scan/exact_jit.c).
 *
 * Idea: a configuration is a state of the object together with the set of open operations that are linearized in it. A
 * call opens an operation. At a return, configurations in which the operation is not linearized yet are extended by
 * open operations, in every order, until it is. Configurations that cannot be extended so are dropped. When none is
 * left, the history up to this return has no linearization. The result of an operation, and the time of its return, are
 * known at its call.
 *
 * An open observer changes nothing with its result, in any state. It is linearized as soon as it is legal: in any
 * linearization it can be moved to there, and no other operation sees the difference. Of open operations with the same
 * call and the same result, the operation that returns first is linearized first. They can change places, since all of
 * them have been called.
 *
 * Invariant: after an event, each configuration stands for a linearization of all operations that have returned. Each
 * linearization is represented by a configuration that has the same state and no fewer open operations linearized.
 *
 * Memory is that of the configurations, for histories of any length, unless the linearization of each is traced. With a
 * trace, each step also points to the step before it, and stays as long as the owner of the memory. Equal states are
 * kept once. If the specification has a hook for it, states with equal digests are compared, unless the owner takes the
 * digests for enough. Configurations are compared by the numbers of their states.
 *
 * Source: Lowe 2017, just-in-time linearization. */
#ifndef ASSAY_SEARCH_CONFIGURATIONS_H
#define ASSAY_SEARCH_CONFIGURATIONS_H

#include "base/budget.h"
#include "spec/spec.h"

struct configurations;

struct configurations_setup {
    const assay_spec *spec;
    struct mem *mem;
    struct budget *budget;
    bool trace;
    /* Takes a result that the returning call would have had instead of its own; may be NULL. */
    void (*blocked)(void *arg, assay_value answer);
    void *arg;
    uint32_t most;    /* most configurations at a time; with more it gives up; 0: no limit */
    bool by_digest;   /* equal digests say that states are equal: to compare them takes as long as they are large */
    uint64_t *credit; /* steps that may still be taken; without any it gives up; NULL: no limit */
};

struct open_call {
    const assay_call *call; /* must stay until the call has returned */
    uint64_t end;           /* time of the return; UINT64_MAX: never, so the call need not take effect */
    bool observes;
    uint32_t tag; /* for the trace */
};

struct traced_step { /* a step of a linearization; traces go from the last step to the first */
    const struct traced_step *before;
    uint32_t tag;
};

/* The state is copied. */
struct configurations *configurations_new(const struct configurations_setup *s, void *state);
void configurations_free(struct configurations *c);
uint32_t configurations_call(struct configurations *c, struct open_call call); /* returns its slot */
/* False: no configuration survives the return. Ask configurations_exceeded before the next call. */
bool configurations_return(struct configurations *c, uint32_t slot);
/* The same in pieces. The slot's return begins, goes on until all is done (true), and ends. Each piece extends so many
 * configurations. Between the pieces no other function is called. */
void configurations_begin_return(struct configurations *c, uint32_t slot);
bool configurations_go_on(struct configurations *c, uint32_t slot, uint32_t n);
bool configurations_end_return(struct configurations *c, uint32_t slot);
struct configurations_part {
    assay_value key;
    struct configurations *of;
    uint32_t *slots; /* of its open operations: their slots in the whole, set by configurations_join */
};

/* The configurations of an object from the configurations of its parts. Any choice of one configuration per part is one
 * of the object, since linearizations of parts can be merged in the order of time. `state` is the state of the object
 * before the parts are joined to it, and is changed. */
struct configurations *configurations_join(const struct configurations_setup *s, void *state,
                                           struct configurations_part *parts, uint32_t n);
uint32_t configurations_slots(const struct configurations *c); /* its slots are below this number */

struct state_imaging;
/* Saves the configurations between two events, or loads them into fresh ones (base/image.h). There must be no trace.
 * When they were loaded, the open calls have to be given again. */
void configurations_image(struct configurations *c, const struct state_imaging *how);
void configurations_reopen(struct configurations *c, uint32_t slot, const assay_call *call);

bool configurations_exceeded(const struct configurations *c); /* it gave up, and judges nothing any more */
uint32_t configurations_count(const struct configurations *c);
uint32_t configurations_states(const struct configurations *c);                 /* different states of them, about */
const struct traced_step *configurations_trace(const struct configurations *c); /* of one configuration */
const void *configurations_state(const struct configurations *c, uint32_t i);   /* of the i-th configuration */
void configurations_each_state(const struct configurations *c, void (*visit)(void *arg, const void *state), void *arg);

#endif
