/* SPDX-License-Identifier: Apache-2.0 */
/* A queue, stack or priority queue whose values are distinct: what happened to each value, and what the engines of
 * these objects share.
 *
 * Positions. The calls and returns of the part lie at distinct positions, in the order of time; initial values are
 * added before all of them, one after another, and what was never removed is removed in one last gap, behind `end`.
 * Gap g is the time between the positions g and g + 1, with room for any number of moments. An operation takes effect
 * in one of the gaps call .. return - 1.
 *
 * Tuning. A value is added before it is seen or removed, and not seen once it is removed. So the return of its add is
 * moved forward to the first return of those that find it, and the call of its remove back to the last call of those
 * that come before it. No linearization is lost, because in each of them these moments lie there anyway. After that
 *     add_call < add_return <= remove_return     and     add_call <= remove_call < remove_return,
 * and positions of different values are different, but for the last gap's. What lies between, the gaps add_return .. remove_call - 1, is the
 * value's critical interval: the value is in the collection all that time, whatever the linearization.
 *
 * Pending calls. An add whose value nobody found did not happen, as far as one can tell: it is left out. A
 * pending peek is left out too. Pending removes are left out at first. That is right when a linearization is found; it is
 * also right for a refutation that rests on removed values alone: leave out of a linearization all other values, with
 * the pending removes that took them, and the refuted rest remains. collection_refute declines in the other case, since
 * who took what is then a choice that is made by search; but for queues see collection_match_pending. */
#ifndef ASSAY_OBJECT_COLLECTION_H
#define ASSAY_OBJECT_COLLECTION_H

#include "engine/engine.h"
#include "object/calls.h"
#include "spec/roles.h"

struct life {             /* of a value */
    uint32_t add, remove; /* places in the part; ID_NONE: it is an initial value; it was never removed */
    uint32_t add_call, add_return, remove_call, remove_return; /* positions, tuned */
};

struct collection {
    struct job *job;
    const struct part *part;
    uint32_t n;        /* values, numbered by add_call */
    uint32_t initials; /* those below are initial */
    struct life *life;
    uint32_t end;               /* all calls and returns are at positions below */
    uint32_t *value;            /* of each operation of the part; ID_NONE: it found nothing, or is left out */
    const uint32_t *call, *ret; /* positions of each operation of the part, not tuned; CALLS_NEVER: pending */
    bool peeked;                /* some peek found a value */
    uint32_t *empty, empty_n;   /* the operations that found nothing, by call */
    uint32_t *gap;              /* of each of those: a gap outside of all critical intervals (collection_check_empty) */
    uint32_t *pending, pending_n; /* removes, by call */
    bool matched;                 /* by collection_match_pending */
    bool *chosen;                 /* of each value: belongs to the refutation */
    bool *also;   /* of each operation of the part: it does, too (a peek, or one that found nothing); NULL: none */
    bool settled; /* the refutation holds whatever the pending removes took */
};

/* Why the part is not one that is read here (another object, no intervals), or NULL. */
const char *collection_declines(const struct job *job, const char *object);

/* Reads the job's part; memory from job->mem. False: the job is done. Either it has been declined, as the values are not
 * distinct, or a value was removed that nobody had added, or twice, or before its add, or seen when it was not there. */
bool collection_read(struct collection *c, struct job *job);

/* First in, first out: lets the pending removes, in the order of their calls, take the values that nobody removed, in
 * the order of their adds' returns, as far as there are both. To remove such a value never hurts, since it may leave as
 * late as one likes. If there are no peeks, no other choice is better. For take a linearization; pending removes can change
 * their values so that those called first take effect first. Let w and w' be two of the values, and let the add of w
 * return before that of w'.
 *   w' is removed and w is not: then all that leaves was added before w. So w' can be added as late as its add returns,
 *   behind w, and stay.
 *   w' is removed before w: then they can change their removes, as far as w' is concerned. For what was called to be added
 *   after the add of w' returned, was so after that of w, too, and leaves after w; and nobody finds the queue empty between
 *   the return of the add of w' and the remove of w.
 * So a refutation also holds when it rests on a value that the i-th remove took, or that none was left for, if
 * the values that were matched before are kept: too few pending removes were called in time for all of them. */
void collection_match_pending(struct collection *c);

/* Finds for each operation that found nothing the first gap, outside of all critical intervals, where it can be. False:
 * one has none, which has been reported. */
bool collection_check_empty(struct collection *c);

/* The two parts of it: the first operation that has no such gap, or ID_NONE; choosing values that fill all its gaps. */
uint32_t collection_place_empty(struct collection *c);
void collection_choose_full(struct collection *c, uint32_t culprit);

/* The peeks of each value, as places in the part. */
struct groups collection_peeks(const struct collection *c);

static inline bool collection_has_critical(const struct life *v)
{
    return v->add_return < v->remove_call;
}

static inline uint32_t collection_op(const struct collection *c, uint32_t place)
{
    return c->part->ops[place];
}

/* ---- refutations ---- */

/* Chooses values until their gaps from[v] .. to[v] - 1 cover all of first .. last - 1; together, all values do. */
void collection_choose_cover(struct collection *c, const uint32_t *from, const uint32_t *to, uint32_t first,
                             uint32_t last);

/* Reports a violation, which the operation at place `culprit`, those of `also`, and the calls of the chosen values prove:
 * of a value its add, its remove, and of its peeks those that returned first and were called last. Declines instead
 * if this rests on a value never removed, there are pending removes whose matching is not known to be best, and it is
 * not settled. */
void collection_refute(struct collection *c, enum pattern pattern, uint32_t culprit);

#endif
