/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include "base/clock.h"
#include "base/escape.h"

double budget_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

struct budget budget_begin(const assay_options *options)
{
    struct budget b = {.interrupt = options->interrupt, .interrupt_arg = options->interrupt_arg};
    if (options->seconds > 0)
        b.cpu = clock_seconds(CLOCK_THREAD_CPUTIME_ID) + options->seconds;
    if (options->wall_seconds > 0)
        b.wall = budget_now() + options->wall_seconds;
    return b;
}

enum { LOOK_EVERY = 4096 };

void budget_allow(struct budget *b, uint64_t ticks)
{
    b->end = ticks ? b->ticks + ticks : 0;
    if (b->end && b->end < b->next)
        b->next = b->end;
}

void budget_reached(struct budget *b)
{
    if (b->end && b->ticks >= b->end)
        escape_raise(ESCAPE_EFFORT);
    if (b->most && b->ticks >= b->most)
        escape_raise(ESCAPE_TIME_BUDGET);
    if (b->next) /* the first tick is no time to look */
        budget_look(b);
    b->next = b->ticks + LOOK_EVERY;
    if (b->end && b->end < b->next)
        b->next = b->end;
}

void budget_look(struct budget *b)
{
    if (b->interrupt && b->interrupt(b->interrupt_arg))
        escape_raise(ESCAPE_INTERRUPTED);
    if ((b->cpu > 0 && clock_seconds(CLOCK_THREAD_CPUTIME_ID) + b->children > b->cpu) ||
        (b->wall > 0 && budget_now() > b->wall))
        escape_raise(ESCAPE_TIME_BUDGET);
}
