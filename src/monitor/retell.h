/* SPDX-License-Identifier: Apache-2.0 */
/* A violation that a monitor has found, told as `assay check` tells it.
 *
 * Idea. A live checker knows the event that completes a contradiction, and often little more. `assay check` knows the
 * kind of violation, the call to blame, and the operations that matter. So the recorded events of the object, up to
 * that event, are checked as a history of their own. This is the same for every object and every monitor.
 *
 * It is done only if all operations of the object are recorded. And its checker must have judged them from the known
 * initial state. The check looks at its budget a bounded number of times, and not at a clock. So a report is the
 * same on every machine. If the check does not find the violation within that, nothing is told. */
#ifndef ASSAY_MONITOR_RETELL_H
#define ASSAY_MONITOR_RETELL_H

#include "evidence/evidence.h"
#include "scan/online.h"

struct monitor;

struct retold {
    enum pattern pattern;      /* PATTERN_NONE: nothing is told */
    const char *sentence;      /* about the call to blame; NULL: it rests on too many operations */
    const char *argument;      /* lines that say why, each with its end; NULL: there are none */
    bool lists;                /* it is about a number of operations, that stand below it */
    VEC(struct online_op) ops; /* that take part */
};

/* The violation of the watch at this event, which is not after the last one. Memory of the answer from `mem`. May
 * escape. */
struct retold retell(struct monitor *m, uint32_t watch, uint64_t step, struct mem *mem);

/* How often the check may look at its budget. Tests change it. */
extern uint64_t retell_looks;

#endif
