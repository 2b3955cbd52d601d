/* SPDX-License-Identifier: Apache-2.0 */
/* A history as calls of objects: the view in which linearizability is decided.
 *
 * Happens-before is the union of three direct relations. Engines need not close it. An operation is ready when all its
 * direct predecessors are done, and these were ready in their turn.
 *   real time      o1 returned strictly before o2 was called. Ranks replace times: the 2n events are sorted, calls
 *                  before returns at equal times, and numbered. o1 precedes o2 iff ret[o1] < call[o2].
 *   program order  o1 is prev[o2]. Ranks imply it in most histories. They do not imply it if a call has the time of the
 *                  thread's previous return, or if intervals are widened for skewed clocks. Then the order is not one
 *                  of intervals.
 *   knowledge      `after` instead of times: past[o * k + t] operations of thread t precede o. This relation is closed.
 *
 * Where these relations are an interval order on the whole history, the history has ranks that imply them
 * (intervals.h). Then linearizability is local (Herlihy and Wing 1990): the history is linearizable iff each of its
 * parts is. There is one part per object, or one per key where all calls of the object name a key. For other orders,
 * linearizable parts are necessary but may not suffice, and the whole history is to be judged as well.
 *
 * The direct relations restricted to a part are enough, as follows from the first two relations. Take a chain through
 * another part. Either it stays within one thread, or it has a strict real-time step. Such a step orders the first and
 * the last operation of the chain, too. */
#ifndef ASSAY_SEARCH_CALLS_H
#define ASSAY_SEARCH_CALLS_H

#include "base/budget.h"
#include "spec/setting_by_key.h"
#include "spec/spec.h"

#define CALLS_NEVER UINT32_MAX /* the return of a pending call */

enum calls_order {
    CALLS_INTERVALS, /* ranks that imply all relations */
    CALLS_TIED,      /* ranks that do not imply program order */
    CALLS_AFTER,     /* knowledge instead of ranks */
    CALLS_PROGRAM    /* program order only */
};

struct part {
    const struct object_use *object;       /* NULL: the whole history */
    struct value key;                      /* ASSAY_NONE: the whole object */
    const struct setting_by_key *settings; /* of the object; NULL: the part is the whole object */
    const uint32_t *ops;                   /* by the rank of their calls; without ranks in the order of the history */
    uint32_t n;
};

/* The initial values that concern the part. */
static inline assay_setting part_setting(const struct part *p)
{
    return p->settings ? setting_of_key(p->settings, p->key) : p->object->setting;
}

struct calls {
    const history *h;
    const struct objects *objects;
    enum calls_order order;
    const assay_call *given; /* of each operation, instead of those of the history; or NULL */
    uint32_t *call, *ret;    /* ranks, of each operation; NULL without real time */
    uint32_t *prev;          /* the thread's previous operation, or ID_NONE */
    uint32_t *index;         /* of an operation within its thread; CALLS_AFTER only */
    uint32_t *past;          /* CALLS_AFTER only */
    bool derived;            /* the ranks come from happens-before (intervals.h), not from the times */
    struct part *parts;
    uint32_t part_n;
    uint32_t *part_of; /* of an operation; ID_NONE: it has no effect */
};

struct calls_wish {
    bool real_time; /* use real time; else program order only */
    bool split;     /* split into parts, and derive ranks; else one part, and the history must have one object */
    int64_t skew;
};

/* Builds the view. Memory from m; may escape, with an error in e if recorded knowledge is circular. */
struct calls *calls_view(const history *h, const struct objects *objects, struct calls_wish wish, struct mem *m,
                         struct budget *b, assay_error *e);

/* Two interval orders for a happens-before that is not an interval order. The tight order contains happens-before, so a
 * linearization of it is a linearization of the history. The loose order is real time without program order, so a
 * violation of it is a violation of the history. Without times it is NULL. The parts are the same. Memory from m; may
 * escape. */
struct calls *calls_tight(const struct calls *c, struct mem *m, struct budget *b);
struct calls *calls_loose(const struct calls *c, struct mem *m);

/* All operations that have an effect as one part, in the order that parts have. Memory from m. */
struct part calls_whole(const struct calls *c, struct mem *m);

/* The call as a specification sees it; args has room for the operation's arguments. */
assay_call calls_get(const struct calls *c, uint32_t op, assay_value *args);

/* The object's own number for the operation's method. */
static inline unsigned calls_method(const struct calls *c, uint32_t op)
{
    return objects_method(c->objects, op)->id;
}

#endif
