/* SPDX-License-Identifier: Apache-2.0 */
/* All linearizations at once (jit.h), beside the search for one (wgl.c).
 *
 * It may be quicker to follow all of them, if they have few different states: locks, semaphores, registers with few
 * values. A step of theirs costs less. So after some dead ends of the search they go on beside it, with several times
 * its effort, as long as they are not too many. Whichever comes to its end first has the verdict. */
#ifndef ASSAY_SEARCH_JIT_BESIDE_H
#define ASSAY_SEARCH_JIT_BESIDE_H

#include "search/linear.h"

struct jit_beside {
    struct jit *jit;             /* NULL: not yet */
    uint64_t troubled_at, ticks; /* the tick at which it began; its ticks since then */
    uint64_t next_question;      /* it goes on after so many dead ends */
    bool gave_up;
    bool favoured; /* it is asked soon, and for long */
};

/* `pinned`: of a counter, results leave few states. */
void jit_beside_begin(struct jit_beside *b, const struct job *job, const struct linear *x, bool pinned);
bool jit_beside_go_on(struct jit_beside *b, struct job *job);

/* Goes on, if it is time. False: it has decided. */
static inline bool jit_beside_ask(struct jit_beside *b, struct job *job)
{
    return b->gave_up || job->out->stats.conflicts < b->next_question || jit_beside_go_on(b, job);
}

#endif
