/* SPDX-License-Identifier: Apache-2.0 */
/* A quarantine before a checker that started afresh: it lets through only operations that name no quarantined value.
 *
 * Idea. The object is not fresh: it holds values, and their adds are forgotten. For objects that say so
 * (assay_spec.names) all operations that name a value may be left out together. The rest is right if the whole was. For
 * example, a history of a queue without all operations on 5 is a history of a queue. So operations that name a value
 * from before are left out. These are values that the failed checker still remembered, and values of calls that were
 * open then. Other objects have a state that no value carries: the count of a semaphore cannot be left out.
 *
 * The value that an operation names may show at its return only, and a checker cannot take an event back. So events are
 * held back, in their order, as long as the first of them is the call of an operation that is still open.
 *
 * Invariant. When the event at the head is let through, all operations called before it have returned. So every value
 * that calls from before the fresh start name is quarantined by then. The wait is bounded by the time that the oldest
 * call has been open. */
#ifndef ASSAY_MONITOR_QUARANTINE_H
#define ASSAY_MONITOR_QUARANTINE_H

#include "base/ring.h"
#include "history/value_map.h"
#include "monitor/symbols.h"

struct held {
    uint64_t step;
    uint64_t other; /* the number of the return of a call that has returned, of a return that of its call; counted from
                       the first event that was ever held */
    uint32_t slot;
    unsigned method;
    struct value arg, result;
    bool is_return, returned, dropped;
    bool died; /* a call whose caller died */
};

struct quarantine {
    struct symbols *symbols;
    const assay_spec *spec;
    struct value_map values; /* that are quarantined, each pinned */
    RING(struct held) all;
    uint64_t first;        /* the number of the first of them */
    VEC(uint64_t) call_of; /* of each slot: the number of its call */
    uint64_t left_out;     /* operations */
};

void quarantine_value(void *quarantine, struct value v); /* fits online.each_value */
/* `before`: a call from before the fresh start. */
void quarantine_call(struct quarantine *v, uint32_t slot, uint64_t step, unsigned method, struct value arg,
                     bool before);
void quarantine_return(struct quarantine *v, uint32_t slot, uint64_t step, struct value result);
/* The caller of the call in this slot died: it is waited for no longer. */
void quarantine_died(struct quarantine *v, uint32_t slot);
/* The result of the call in this slot is lost: it is left out. */
void quarantine_lose(struct quarantine *v, uint32_t slot);
/* The next event to show to the checker, valid until the next one is asked for or added; NULL: there is none yet. At
 * the end of the input (`all`) open calls are no longer waited for. */
const struct held *quarantine_next(struct quarantine *v, bool all);
/* The checker is gone: operations of which it has seen the call only are left out, and their values quarantined. */
void quarantine_restart(struct quarantine *v);
void quarantine_each_value(const struct quarantine *v, void (*visit)(void *arg, struct value v), void *arg);
void quarantine_free(struct quarantine *v);
void quarantine_image(struct quarantine *v, struct image *x);

#endif
