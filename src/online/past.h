/* SPDX-License-Identifier: Apache-2.0 */
/* The past of an object, gone through again: the operations of a journal and those that are open, event by event. */
#ifndef ASSAY_ONLINE_PAST_H
#define ASSAY_ONLINE_PAST_H

#include "online/journal.h"

struct past_op {
    struct online_op op;
    uint32_t arity, slot;
    const struct value *args; /* all of them, if there are several */
    bool foreign; /* of interest only while it is open: nobody knows what it will return */
};

struct past_event {
    uint64_t step;
    uint32_t op;
    bool returns;
};

struct past {
    struct mem *mem;
    VEC(struct past_op) ops;
    VEC(struct past_event) events; /* in the order of time */
};

void past_add(struct past *p, const struct past_op *o);
void past_sort(struct past *p); /* after the last one was added */
void past_free(struct past *p);

/* Shows the events up to a step to a checker (a state of lag_open); false: it has found a violation. */
bool past_show(const struct past *p, uint64_t until, void *checker);
/* The smallest step such that the events up to it are a violation: found by a scan, and where that leaves it open, by all
 * linearizations at once, if they are few. `last` if it cannot be told. *exact: is what comes before certainly none? */
uint64_t past_completes(const struct past *p, const struct scan *scan, const struct online_setup *s, uint64_t last,
                        bool *exact);

#endif
