/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a part, or of the whole history, as a search for a linearization sees them: which can come next, and how
 * the specification takes them. Shared by the general engines. The whole has a state for each of its parts.
 *
 * Completed operations are laid into lanes, chains of happens-before: with real time by handing a lane on once its last
 * operation has returned (so there are as many lanes as operations overlap), else one lane per thread. What has been
 * linearized is then a position in each lane, and what may come next are heads of lanes. Pending operations stay
 * apart: they may come, at any place after their call, or never. */
#ifndef ASSAY_OBJECT_LINEAR_H
#define ASSAY_OBJECT_LINEAR_H

#include "base/memo.h"
#include "engine/engine.h"
#include "object/calls.h"
#include "spec/visited.h"

struct linear_member { /* a part of the whole */
    const assay_spec *spec;
    void *state;
    struct visited seen;    /* its states, so that what stands for them is known */
    struct memo_key digest; /* what the state adds to linear.members */
};

struct linear {
    const struct calls *c;
    const struct part *part;
    const assay_spec *spec; /* NULL: the whole */
    struct mem *m;
    void *state;                  /* NULL: the object has no sequential states */
    struct linear_member *member; /* the whole: its parts, as calls numbers them */
    struct memo_key members;      /* stands for all their states: a sum */
    uint32_t n;
    assay_call *call;        /* of each operation of the part, by its place there */
    uint32_t *starts, *ends; /* ranks; without ranks 0 and 0 */
    uint32_t *prev;          /* the thread's previous operation of the part, or ID_NONE */
    bool *observer; /* whatever the state, with its result it changes nothing, so it can come as soon as it is legal: in
                       any linearization it can be moved to there, and nobody sees the difference */
    struct memo_key *salt; /* what an operation adds to the hash of the set of linearized ones */

    uint32_t lanes;
    uint32_t *lane_at, *lane; /* operations of lane l: lane[lane_at[l]] .. lane[lane_at[l+1] - 1] */
    uint32_t *position;       /* of each lane: how many are linearized */
    uint32_t *lane_of;        /* ID_NONE: pending */
    uint32_t *need;           /* CALLS_AFTER: need[i * lanes + l] operations of lane l come before i; else NULL */

    uint32_t *maybe, maybe_n; /* the pending ones, by call */
    uint32_t *twin;           /* of a pending one: the previous with the same method and arguments, or ID_NONE */
    bool *done;
    struct memo_key set; /* hash of what is linearized */
};

/* Memory from job->mem; may escape. */
void linear_init(struct linear *x, const struct job *job);

static inline uint32_t linear_head(const struct linear *x, uint32_t lane)
{
    uint32_t at = x->lane_at[lane] + x->position[lane];
    return at < x->lane_at[lane + 1] ? x->lane[at] : ID_NONE;
}

/* The head whose return comes first: all that is linearized next is called before it. ID_NONE: all are done. */
uint32_t linear_first_return(const struct linear *x);

/* Have all that precede i been linearized? `first` is linear_first_return's. */
bool linear_ready(const struct linear *x, uint32_t i, uint32_t first);

/* The member that i is a call of, and what to do when its state has changed. */
static inline struct linear_member *linear_member(const struct linear *x, uint32_t i)
{
    return &x->member[x->c->part_of[x->part->ops[i]]];
}
void linear_changed(struct linear *x, struct linear_member *member);

/* Takes the step of i if its result is as recorded (spec_step). */
static inline assay_effect linear_step(struct linear *x, uint32_t i, unsigned choice, assay_value *answer,
                                       assay_saved *saved)
{
    if (x->spec)
        return spec_step(x->spec, x->state, &x->call[i], choice, answer, saved);
    struct linear_member *own = linear_member(x, i);
    assay_effect effect = spec_step(own->spec, own->state, &x->call[i], choice, answer, saved);
    if (effect == ASSAY_CHANGED)
        linear_changed(x, own);
    return effect;
}
static inline void linear_undo(struct linear *x, uint32_t i, const assay_saved *saved)
{
    struct linear_member *own = x->spec ? NULL : linear_member(x, i);
    hook_undo(own ? own->spec : x->spec, own ? own->state : x->state, &x->call[i], saved);
    if (own)
        linear_changed(x, own);
}

static inline unsigned linear_choices(const struct linear *x, uint32_t i)
{
    const struct linear_member *own = x->spec ? NULL : linear_member(x, i);
    const assay_spec *spec = own ? own->spec : x->spec;
    return hook_choices(spec, own ? own->state : x->state, &x->call[i]);
}

/* Notes that i is linearized, or no longer. */
void linear_mark(struct linear *x, uint32_t i);
void linear_unmark(struct linear *x, uint32_t i);

/* What is linearized; of the whole, together with the states. */
static inline struct memo_key linear_set(const struct linear *x)
{
    return (struct memo_key){x->set.a + x->members.a, x->set.b + x->members.b};
}

/* What an operation that cannot be placed would have returned: a few different answers. Their texts are copied, since
 * they may lie in the state, which goes on changing. */
struct linear_answers {
    VEC(assay_value) all;
};
void linear_note_answer(struct linear_answers *a, assay_value answer, struct mem *m);

#endif
