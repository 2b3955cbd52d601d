/* SPDX-License-Identifier: Apache-2.0 */
/* A collection is a queue, stack, deque or priority queue whose values are distinct. This file has the calls of each
 * value, and the code that the engines of these objects share.
 *
 * Positions. The calls and returns of the part lie at distinct positions, in the order of time. Initial values are
 * added before all of them, one after another. Values that were never removed are removed in one last gap, behind
 * `end`. Gap g is the time between the positions g and g + 1, with room for any number of moments. An operation takes
 * effect in one of the gaps call .. return - 1.
 *
 * Tuning. The observations of a value are its remove and its peeks. A value is added before its observations take
 * effect, and its peeks take effect before its remove. So tuning makes two intervals shorter. The return of the add
 * becomes the first return among the add and the observations. The call of the remove becomes the last call among the
 * add and the observations. No linearization is lost: in each linearization the add and the remove take effect within
 * the shorter intervals anyway. After tuning
 *     add_call < add_return <= remove_return     and     add_call <= remove_call < remove_return,
 * and positions of different values are different, except for the positions of the last gap. The gaps add_return ..
 * remove_call - 1 are the critical interval of the value. In every linearization the value is in the collection during
 * all of this interval.
 *
 * Pending calls. A pending add is left out if no operation returned its value: no result shows that it took effect. A
 * pending peek is left out, too. Pending removes are left out at first. This is right when a linearization is found. It
 * is also right for a refutation that rests on removed values alone. Suppose that there is a linearization
 * nevertheless. Leave out of it all other values, together with the pending removes that took them. The refuted calls
 * remain, in a legal order, which is a contradiction. A refutation may also rest on values that were never removed.
 * Then the values that the pending removes took are a choice, which is made by search, and collection_refute declines.
 * For queues, collection_match_pending makes this choice. */
#ifndef ASSAY_SEARCH_COLLECTION_H
#define ASSAY_SEARCH_COLLECTION_H

#include "engine/engine.h"
#include "search/calls.h"
#include "spec/roles.h"

struct life {             /* of a value */
    uint32_t add, remove; /* places in the part; add is ID_NONE: an initial value; remove is ID_NONE: never removed */
    uint32_t add_call, add_return, remove_call, remove_return; /* positions, tuned */
};

struct collection {
    struct job *job;
    const struct part *part;
    bool two_ends;     /* a deque: methods have an end, too (spec/roles.h) */
    uint32_t n;        /* values, numbered by add_call */
    uint32_t initials; /* values with smaller numbers are initial */
    struct life *life;
    uint32_t end;               /* greater than the positions of all calls and returns */
    uint32_t *value;            /* of each operation of the part; ID_NONE: it found nothing, or is left out */
    const uint32_t *call, *ret; /* positions of each operation of the part, not tuned; CALLS_NEVER: pending */
    bool peeked;                /* some peek found a value */
    uint32_t *empty, empty_n;   /* the operations that found nothing, by call */
    uint32_t *gap; /* of each in `empty`: a gap outside of all critical intervals (collection_check_empty) */
    uint32_t *pending, pending_n; /* pending removes, by call */
    bool matched;                 /* collection_match_pending was called */
    bool *chosen;                 /* of each value: belongs to the refutation */
    bool *also;   /* of each operation (a peek, or it found nothing): belongs to the refutation; NULL: none */
    bool settled; /* the refutation holds for all choices of the pending removes */
};

/* The reason why the part cannot be read here (another object, no intervals), or NULL. */
const char *collection_declines(const struct job *job, const char *object);

/* Reads the job's part; memory from job->mem. False: the job is done. Either it has been declined, since the values are
 * not distinct, or a violation has been reported:
 * - a value was returned and never added;
 * - a value was removed twice, or before its add;
 * - a value was seen when it was not there. */
bool collection_read(struct collection *c, struct job *job);

/* First in, first out: matches pending removes with values that no operation removed. The removes are taken in the
 * order of their calls, the values in the order of their adds' returns, as far as there are both. The remove of such a
 * value is never a disadvantage, since it may take effect as late as necessary. If there are no peeks, no other
 * matching is better.
 *
 * Proof. Take a linearization. Its pending removes can exchange their values so that the removes that were called first
 * take effect first. Let w and w' be two of the values, and let the add of w return before the add of w'.
 * - w' is removed and w is not. Then every value that leaves was added before w. So w' can be added as late as its add
 *   returns, behind w, and stay.
 * - w' is removed before w. Then w and w' can exchange their removes, as far as w' is concerned. To see this, take an
 *   add that was called after the add of w' returned. It was called after the add of w returned, too, and its value
 *   leaves after w. And no operation finds the queue empty between the return of the add of w' and the remove of w.
 *
 * So a refutation may also rest on a value that the i-th remove took, or for which no remove was left. It holds if the
 * values that were matched before belong to it: too few pending removes were called in time for all these values. */
void collection_match_pending(struct collection *c);

/* Finds a gap for each operation that found nothing: the first one outside of all critical intervals. False: one
 * operation has no such gap, which has been reported. */
bool collection_check_empty(struct collection *c);

/* The two steps of collection_check_empty. The first returns the first operation without such a gap, or ID_NONE. The
 * second chooses values that fill all gaps of this operation. */
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

static inline unsigned collection_role(const struct collection *c, uint32_t place)
{
    return calls_method(c->job->calls, collection_op(c, place)) >> c->two_ends;
}

/* ---- refutations ---- */

/* Chooses values until their gaps from[v] .. to[v] - 1 cover all of first .. last - 1. All values together must cover
 * these gaps. */
void collection_choose_cover(struct collection *c, const uint32_t *from, const uint32_t *to, uint32_t first,
                             uint32_t last);

/* Reports a violation. Its proof is the operation at place `culprit`, the operations of `also`, the pending removes,
 * and calls of the chosen values. The calls of a value are its add, its remove, the peek that returned first, and the
 * peek that was called last. Declines instead if all three conditions hold:
 * - the proof rests on a value that no remove with a return took;
 * - there are pending removes, and their matching is not known to be best;
 * - the refutation is not settled. */
void collection_refute(struct collection *c, enum pattern pattern, uint32_t culprit);

#endif
