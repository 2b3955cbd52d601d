/* SPDX-License-Identifier: Apache-2.0 */
/* Amounts: a small reason why an object is not linearizable that counts something. The amount is the number of copies
 * of a value in a multiset, of holders of a lock, or of keys of a map. It may also be a balance or a sum.
 *
 * Idea. At each moment the amount lies between two bounds. Calls that have returned have taken effect, open ones may
 * have. So the least amount has the increases that returned and the decreases that were called, and the greatest one
 * has it the other way round. A call that returned is tested in two ways:
 *   change   When it returns, the bounds include its own change. If no amount between them is one that the object can
 *            have, such as 0 to 3 for semaphore(3), there is no linearization.
 *   result   It may tell the amount before it, or a range. If at every moment of the call the range and the bounds of
 *            the other calls have nothing in common, there is no linearization.
 *
 * The culprit is the call that returned first among those of which one of this holds. It is not named if the engine has
 * refuted the history up to an earlier return.
 *
 * One sweep over the events gives the bounds. A test looks at its own moments until one fits, which mostly is the
 * first. So it takes O(n) for each amount, and at most the number of calls that overlap the test more.
 *
 * The evidence names the culprit alone. recheck adds up the calls again, by their times (recheck/counted.c). The
 * argument is this project's own. For sums and whole intervals it is that of sums.h. */
#ifndef ASSAY_EXPLAIN_AMOUNTS_H
#define ASSAY_EXPLAIN_AMOUNTS_H

#include "engine/engine.h"
#include "search/calls.h"

#define AMOUNT_NO_TOP INT64_MAX
#define AMOUNT_NO_BOTTOM INT64_MIN

struct range {
    int64_t least, most;
};

struct amount {
    int64_t initial, bottom, top; /* it never is below the bottom, or above the top */
};

/* The effect of a call on an amount, and the amount that it tells. */
struct amount_call {
    int64_t least, most; /* the change; two different ones: the result does not say which */
    bool tells;          /* its result tells that the amount before it was in this range: */
    int64_t low, high;
};

/* Why the call does not fit: the amount was too small for it, or too large. */
struct amount_lack {
    bool too_small;
    bool never, not_yet; /* too small since no call of the part increases it; none was called by then */
};

/* Values that were found: the names of the first two cases, else the given one. */
static inline enum pattern amount_missing(const struct amount_lack *lack, enum pattern gone)
{
    return lack->never ? PATTERN_RemovedNeverAdded : lack->not_yet ? PATTERN_RemovedBeforeAdded : gone;
}

/* An object that counts. Of some objects there are several amounts, numbered from 0. */
struct amount_object {
    const char *name;
    bool keyed; /* the part is one key */
    uint32_t (*count)(const struct job *job);
    struct amount (*of)(const struct job *job, uint32_t which);
    struct amount_call (*call)(const assay_call *call, bool pending, const struct amount *amount, uint32_t which);
    enum pattern (*pattern)(const assay_call *call, const struct amount_lack *lack);
};

/* The job's object, or NULL: it counts nothing. */
const struct amount_object *amount_object_of(const struct job *job);

/* One amount with the effects of all calls of the part. The bounds follow from these, or from a state of its own. */
struct amount_reading {
    struct job *job;
    struct amount amount;
    uint32_t which;           /* the amount's number */
    struct amount_call *call; /* by place in the part */
    struct range start;       /* the bounds before the first event */
    /* The call at this place begins or returns: moves the bounds. */
    void (*pass)(struct amount_reading *r, uint32_t place, bool returns, struct range *now);
    enum pattern (*name)(const struct amount_reading *r, uint32_t place, bool too_small);
};

/* A culprit, as its place in the part. */
struct amount_finding {
    uint32_t culprit; /* ID_NONE: there is none */
    enum pattern pattern;
    uint32_t which;      /* amount */
    struct range bounds; /* of the amount before the culprit; behind it if it only changes the amount */
    bool alone;          /* at each moment of the culprit the amount was wrong for it */
};

/* Looks for the first return that refutes the part, at the latest at the rank of the culprit found so far. */
void amount_sweep(struct amount_reading *r, struct amount_finding *found);

/* The part has been refuted: replaces the evidence by such a reason. False: there is none, or it is not better. */
bool amounts_explain(struct job *job);

#endif
