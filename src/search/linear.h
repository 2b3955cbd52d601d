/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a part, or of the whole history, for the search for a linearization. This file finds the operations
 * that can come next, and takes their steps in the specification. The general engines share it. The whole has a state
 * for each of its parts.
 *
 * Completed operations are laid into lanes, which are chains of happens-before. With real time, a lane is handed on
 * once its last operation has returned, so there are as many lanes as operations overlap. Without real time, each
 * thread has one lane. The set linearized is then a position in each lane, and only heads of lanes may come next.
 * Pending operations stay apart: they may come at any place after their call, or never. Pending observers are left
 * out. */
#ifndef ASSAY_SEARCH_LINEAR_H
#define ASSAY_SEARCH_LINEAR_H

#include "base/memo.h"
#include "engine/engine.h"
#include "search/calls.h"
#include "spec/visited.h"

struct linear_member { /* a part of the whole */
    const assay_spec *spec;
    void *state;
    struct visited seen;    /* its states so far, for their digests */
    struct memo_key digest; /* term of its state in linear.members */
};

struct linear {
    const struct calls *c;
    const struct part *part;
    const assay_spec *spec; /* NULL: the whole */
    struct mem *m;
    void *state;                  /* NULL: the object has no sequential states */
    struct linear_member *member; /* the whole: its parts, as calls numbers them */
    struct memo_key members;      /* sum of the digests of all their states */
    uint32_t n;
    assay_call *call;        /* of each operation of the part, by its place there */
    uint32_t *starts, *ends; /* ranks of call and return; 0 and 0 without ranks */
    uint32_t *prev;          /* the thread's previous operation of the part, or ID_NONE */
    /* In any state, the operation changes nothing with its recorded result. So it can come as soon as it is legal. In
     * any linearization it can be moved to there, and no other operation sees the difference. */
    bool *observer;
    struct memo_key *salt; /* term of each operation in the hash of the set linearized */

    uint32_t lanes;
    uint32_t *lane_at, *lane; /* operations of lane l: lane[lane_at[l]] .. lane[lane_at[l+1] - 1] */
    uint32_t *position;       /* of each lane: number of linearized operations */
    uint32_t *lane_of;        /* of each operation; ID_NONE: it is pending */
    uint32_t *need;           /* CALLS_AFTER: need[i * lanes + l] operations of lane l come before i; else NULL */

    uint32_t *maybe, maybe_n; /* pending operations that may change the state, by call */
    uint32_t *twin; /* of a pending operation: the previous one with the same method and arguments, or ID_NONE */
    /* Of a completed operation: the first operation with the same call and result, in the same part. Only interval
     * orders have such kinds (wgl.c has the reason), and only objects of the library. The step of a user's object may
     * depend on the thread. Elsewhere each operation is of a kind of its own. */
    uint32_t *kind; /* NULL before linear_find_kinds */
    uint32_t kinds; /* so many different ones */
    bool *done;
    struct memo_key set; /* hash of the set linearized */
};

/* Memory from job->mem; may escape. */
void linear_init(struct linear *x, const struct job *job);
void linear_find_kinds(struct linear *x);

static inline uint32_t linear_head(const struct linear *x, uint32_t lane)
{
    uint32_t at = x->lane_at[lane] + x->position[lane];
    return at < x->lane_at[lane + 1] ? x->lane[at] : ID_NONE;
}

/* The head that returns first: each operation that is linearized next is called before this return. ID_NONE: all are
 * done. */
uint32_t linear_first_return(const struct linear *x);

/* Completed operations by return: the rank in the upper half, the operation in the lower one. Memory from x->m. */
uint64_t *linear_by_return(const struct linear *x, uint32_t *n);

/* Are all operations that precede i linearized? `first` is the result of linear_first_return. */
bool linear_ready(const struct linear *x, uint32_t i, uint32_t first);

/* The member that i is a call of. linear_changed follows each change of its state. */
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

/* Marks i as linearized, or as not linearized. */
void linear_mark(struct linear *x, uint32_t i);
void linear_unmark(struct linear *x, uint32_t i);

/* The set linearized; for the whole, together with the states. */
static inline struct memo_key linear_set(const struct linear *x)
{
    return (struct memo_key){x->set.a + x->members.a, x->set.b + x->members.b};
}

/* Results that an operation which cannot be placed would have returned: a few different ones. Texts and lists are
 * copied, since they may lie in the state, which goes on changing. */
struct linear_answers {
    VEC(assay_value) all;
};
void linear_note_answer(struct linear_answers *a, assay_value answer, struct mem *m);

#endif
