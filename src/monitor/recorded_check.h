/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded events of an object, checked as a history of their own.
 *
 * Idea. A live checker knows the event that completes a contradiction, and often little more. What a person wants to
 * know is known to explain/, which looks at results of `assay check`. So the events up to that one are checked and
 * explained as if they had been read from a file. This is the same for every object and every monitor.
 *
 * It is done only if all operations of the object are recorded. And its checker must have judged them from the known
 * initial state. The check looks at its budget a bounded number of times, and not at a clock. So a report is the
 * same on every machine. If the check does not find the violation within that, nothing is told. */
#ifndef ASSAY_MONITOR_RECORDED_CHECK_H
#define ASSAY_MONITOR_RECORDED_CHECK_H

#include "evidence/evidence.h"
#include "explain/looks.h"
#include "scan/online.h"

struct monitor;

struct recorded_check {
    struct monitor *m;
    uint32_t watch;
    uint64_t until; /* event, which is not after the last one */
    struct mem *mem;
    assay_options given; /* of the check */
    struct looks looks;
    VEC(uint64_t) called; /* by operation of the history: the event of its call */
    result *found;        /* NULL: nothing is known. The caller frees it, after an escape, too */
};

/* Fills in x->found; recorded_explain completes its explanation if it is a violation. Both may escape. */
void recorded_check(struct recorded_check *x);
void recorded_explain(struct recorded_check *x);

/* An operation of the history. */
struct online_op recorded_operation(const struct recorded_check *x, uint32_t op);

/* How often the check may look at its budget. Tests change it. */
extern uint64_t recorded_check_looks;

#endif
