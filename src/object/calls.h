/* SPDX-License-Identifier: Apache-2.0 */
/* A history as calls of objects: what linearizability looks at.
 *
 * Happens-before is the union of three direct relations; engines need not close it, because an operation is ready when
 * all that directly precede it are done, and those were ready in their turn:
 *   real time      o1 returned strictly before o2 was called. Times are replaced by ranks: the 2n events are sorted,
 *                  calls before returns at equal times, and numbered; o1 precedes o2 iff ret[o1] < call[o2].
 *   program order  o1 is prev[o2]. Ranks mostly imply it; when they do not (a call at the time of the thread's previous
 *                  return, or intervals widened for skewed clocks) the order is not one of intervals.
 *   knowledge      `after` instead of times: past[o * k + t] operations of thread t precede o. This one is closed.
 *
 * Where these are an interval order on the whole history, it has ranks that imply it (intervals.h). Then linearizability
 * is local (Herlihy and Wing 1990): the history is linearizable iff each of its parts is, one per object, and one per key
 * where all of an object's calls name one. Else the parts say what must be, and the whole is to be looked at as well.
 * That the direct relations restricted to a part are enough follows from the first two: a chain through
 * another part has a strict real-time step, which the first and the last have, too, or stays within one thread. */
#ifndef ASSAY_OBJECT_CALLS_H
#define ASSAY_OBJECT_CALLS_H

#include "base/budget.h"
#include "spec/spec.h"

#define CALLS_NEVER UINT32_MAX /* the return of a pending call */

enum calls_order {
    CALLS_INTERVALS, /* ranks, which imply all */
    CALLS_TIED,      /* ranks, which do not imply program order */
    CALLS_AFTER,     /* knowledge */
    CALLS_PROGRAM    /* program order only */
};

struct part {
    const struct object_use *object; /* NULL: the whole history */
    struct value key;                /* ASSAY_NONE: the whole object */
    const uint32_t *ops;             /* by rank of their calls; without ranks as in the history */
    uint32_t n;
};

struct calls {
    const history *h;
    const struct objects *objects;
    enum calls_order order;
    uint32_t *call, *ret; /* ranks, of each operation; NULL without real time */
    uint32_t *prev;       /* the thread's previous operation, or ID_NONE */
    uint32_t *index;      /* of an operation within its thread; CALLS_AFTER only */
    uint32_t *past;       /* CALLS_AFTER only */
    bool derived;         /* the ranks are not those of the times */
    struct part *parts;
    uint32_t part_n;
    uint32_t *part_of; /* of an operation; ID_NONE: it has no effect */
};

struct calls_wish {
    bool real_time; /* else program order only */
    bool split;     /* into parts, and look for ranks; else there is one part, and the history must have one object */
    int64_t skew;
};

/* Memory from m; may escape, with an error in e when recorded knowledge is circular. */
struct calls *calls_view(const history *h, const struct objects *objects, struct calls_wish wish, struct mem *m,
                         struct budget *b, assay_error *e);

/* Two interval orders around a happens-before that is none. Tight: it has all of it and more, so that an order that suits it
 * suits the history. Loose: real time without program order, so that what it does not allow, the history does not; NULL
 * if there are no times. The parts are the same. Memory from m; may escape. */
struct calls *calls_tight(const struct calls *c, struct mem *m, struct budget *b);
struct calls *calls_loose(const struct calls *c, struct mem *m);

/* All that has an effect as one part, in the order that parts have. Memory from m. */
struct part calls_whole(const struct calls *c, struct mem *m);

/* The call as a specification sees it; args has room for the operation's arguments. */
assay_call calls_get(const struct calls *c, uint32_t op, assay_value *args);

/* A method's own number. */
static inline unsigned calls_method(const struct calls *c, uint32_t op)
{
    return objects_method(c->objects, op)->id;
}

#endif
