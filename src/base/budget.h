/* SPDX-License-Identifier: Apache-2.0 */
/* Budget: how long a computation may run, and whether someone asked it to stop. Long loops call budget_tick; it reads
 * the clocks every few thousand ticks and escapes when the time is over. Memory is limited where it is allocated
 * (mem.h).
 *
 * Where several computations share a budget, each can be given a number of ticks (budget_allow). Ticks do not depend on
 * the machine, so neither does which of them comes to its end first.
 *
 * A computation runs in one thread, others may run beside it: CPU time is that of the thread, and of the processes that
 * it started. */
#ifndef ASSAY_BASE_BUDGET_H
#define ASSAY_BASE_BUDGET_H

#include "assay.h"

#include <stdint.h>

struct budget {
    double cpu;                   /* deadline on the thread's CPU clock; 0: none */
    double wall;                  /* deadline on the monotonic clock; 0: none */
    double children;              /* CPU seconds of the processes that were started; they count, too */
    bool (*interrupt)(void *arg); /* true: stop; may be NULL */
    void *interrupt_arg;
    uint64_t ticks;
    uint64_t next; /* the tick that is looked at */
    uint64_t end;  /* the tick at which ESCAPE_EFFORT is raised; 0: none */
    uint64_t most; /* after about so many ticks the time is over; 0: no matter how many */
};

double budget_now(void);                                  /* seconds on the monotonic clock */
struct budget budget_begin(const assay_options *options); /* from now on, for this thread */
void budget_look(struct budget *b);                       /* escapes if the time is over */
void budget_allow(struct budget *b, uint64_t ticks);      /* from now on; 0: as many as there is time for */
void budget_reached(struct budget *b);

static inline void budget_tick(struct budget *b)
{
    if (++b->ticks >= b->next)
        budget_reached(b);
}

#endif
