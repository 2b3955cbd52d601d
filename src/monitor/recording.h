/* SPDX-License-Identifier: Apache-2.0 */
/* A recording: the operations of the last events of a stream, so that a violation can be told in the words of `assay
 * check` (recorded_check.c).
 *
 * The call of event s lies at s % RECORDED_EVENTS, with its return once that has come. An object whose first call is
 * further back has lost operations, and no more of it are recorded. So a long run costs nothing. */
#ifndef ASSAY_MONITOR_RECORDING_H
#define ASSAY_MONITOR_RECORDING_H

#include "monitor/slots.h"

enum { RECORDED_EVENTS = 4096 };

struct recorded_call {
    uint64_t called, returned; /* events; called 0: there is none; returned 0: it has not */
    uint32_t watch;            /* its object */
    uint32_t method;           /* the place in the specification's list */
    VEC(char) id;              /* as it was written */
    VEC(struct value) values;  /* the arguments, then the result if it has returned */
};

struct recording {
    struct mem *mem;
    struct recorded_call *at;
};

void recording_init(struct recording *r, struct mem *m);

/* Are all events since this one still there? */
static inline bool recording_reaches(uint64_t since, uint64_t now)
{
    return now - since < RECORDED_EVENTS;
}

static inline uint32_t recorded_arity(const struct recorded_call *c)
{
    return c->values.n - (c->returned > 0);
}

/* The call of this event, or NULL. */
struct recorded_call *recording_find(const struct recording *r, uint64_t step);
/* args: those of the call, n of them. */
void recording_call(struct recording *r, uint64_t step, struct id id, uint32_t watch, uint32_t method,
                    const struct value *args, uint32_t n);
void recording_return(struct recording *r, uint64_t called, uint64_t step, struct value result);

/* Visits the values of the recorded events; older ones are dropped. */
void recording_each_value(struct recording *r, uint64_t now, void (*visit)(void *arg, struct value v), void *arg);

struct image;
void recording_image(struct recording *r, struct image *x);

#endif
