/* SPDX-License-Identifier: Apache-2.0 */
/* One sweep over a recorded part: the calls are visited in the order of time, and an operation is linearized at the
 * latest when it would return. What has to come before it is up to the object. These functions are inline, since an
 * object's own steps are about as short. */
#ifndef ASSAY_SCAN_SWEEP_H
#define ASSAY_SCAN_SWEEP_H

#include "base/heap.h"
#include "search/plain_part.h"

struct sweep { /* the first field of an object's own */
    struct job *job;
    VEC(uint32_t) order; /* the linearization so far, as places in the part; kept if a witness is asked for */
};

struct sweep_heap { /* of operations, the first return on top: the return in the upper half, the place in the lower */
    VEC(uint64_t) of;
};

static inline uint32_t sweep_op(const struct sweep *s, uint32_t i)
{
    return s->job->part->ops[i];
}

static inline uint32_t sweep_return(const struct sweep *s, uint32_t i)
{
    return s->job->calls->ret[sweep_op(s, i)];
}

static inline uint64_t sweep_entry(const struct sweep *s, uint32_t i)
{
    return (uint64_t)sweep_return(s, i) << 32 | i;
}

static inline void sweep_put(const struct sweep *s, struct sweep_heap *h, uint64_t entry)
{
    vec_reserve(s->job->mem, &h->of, 1);
    heap_put(h->of.at, h->of.n++, entry);
}

static inline uint32_t sweep_take(struct sweep_heap *h)
{
    return (uint32_t)heap_take(h->of.at, h->of.n--);
}

static inline void sweep_linearize(struct sweep *s, uint32_t i)
{
    if (s->job->witness)
        vec_push(s->job->mem, &s->order, i);
}

/* `until` linearizes the operations that return before the rank, and returns the one that cannot be, or ID_NONE. */
static inline uint32_t sweep_run(struct sweep *s, uint32_t (*until)(void *own, uint32_t rank),
                                 void (*call)(void *own, uint32_t i))
{
    for (uint32_t i = 0; i < s->job->part->n; i++) {
        budget_tick(s->job->budget);
        uint32_t stuck = until(s, s->job->calls->call[sweep_op(s, i)]);
        if (stuck != ID_NONE)
            return stuck;
        call(s, i);
    }
    return until(s, CALLS_NEVER);
}

/* An `until` for operations in a heap by return, some of which are done. `force` linearizes one. */
static inline uint32_t sweep_due(struct sweep *s, struct sweep_heap *due, const bool *done, uint32_t rank,
                                 bool (*force)(void *own, uint32_t i))
{
    while (due->of.n && due->of.at[0] >> 32 < rank) {
        uint32_t i = sweep_take(due);
        if (!done[i] && !force(s, i))
            return i;
    }
    return ID_NONE;
}

static inline void sweep_witness(const struct sweep *s)
{
    if (!s->job->witness)
        return;
    evidence_begin_order(&s->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < s->order.n; i++)
        evidence_place(&s->job->out->evidence, sweep_op(s, s->order.at[i]));
}

/* The proof is the history up to the operation's return. tied: a shorter prefix may be refuted, too. */
static inline void sweep_refute(const struct sweep *s, uint32_t i, bool tied)
{
    s->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&s->job->out->evidence, PATTERN_NoLinearization, sweep_op(s, i), true);
    s->job->out->evidence.tied = tied;
}

#endif
