/* SPDX-License-Identifier: Apache-2.0 */
/* The past of an object, gone through again: the operations of a journal and those that are open, event by event. */
#ifndef ASSAY_SCAN_PAST_H
#define ASSAY_SCAN_PAST_H

#include "scan/journal.h"

struct past_op {
    struct online_op op;
    uint32_t arity, slot;
    const struct value *args; /* all of them, if there are several */
    bool foreign;             /* of interest only while it is open: its result is unknown */
    bool suspect;             /* the report names it */
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
    VEC(assay_binding) init;       /* the initial values of the object */
};

void past_add(struct past *p, const struct past_op *o);
void past_sort(struct past *p); /* after the last one was added */
void past_free(struct past *p);

struct online_setup past_setup(const struct past *p, const struct online_setup *s); /* that it began with */

/* A possible continuation. Of the open operations, the next one to return returns another result, or never returns
 * (kind ASSAY_NONE). The others return as they did; suspects may never return. */
struct past_sequel {
    struct value next;
    bool without_suspects;
};

/* Shows the events up to a step to a checker (a state of holdback_open), and a sequel if it is not NULL. False: it has
 * found a violation. */
bool past_show(const struct past *p, uint64_t until, const struct past_sequel *sequel, void *checker);

struct past_case {
    const struct past *all;
    const struct past *part; /* a violation of it is a violation of the whole; NULL: there is none */
    const struct scan *scan;
    struct online_setup setup;
    const struct online_fault *fault; /* its step is where to look first */
    uint64_t last;                    /* the answer if it cannot be told */
};

/* past_completes.c: the smallest step such that the events up to it are a violation. *exact: are the events before
 * certainly none? */
uint64_t past_completes(const struct past_case *c, bool *exact);

#endif
