/* SPDX-License-Identifier: Apache-2.0 */
/* The writes that take part, by variable, and of one variable by thread. Rules search them for the last write of a
 * thread before some event. */
#ifndef ASSAY_RECHECK_RUNS_H
#define ASSAY_RECHECK_RUNS_H

#include "recheck/recheck.h"

struct run { /* the writes of one thread to one variable, in program order */
    uint32_t thread;
    uint32_t from, end; /* in writes */
};

struct runs {
    uint32_t *writes; /* by variable, then thread, then program order */
    uint32_t count;   /* of them */
    struct run *at;
    uint32_t *of; /* the runs of variable v are of[v] .. of[v + 1] - 1 */
};

/* by_thread: the operations of each thread. Memory from x->mem. */
struct runs recheck_runs(struct recheck *x, const struct groups *by_thread);

#endif
