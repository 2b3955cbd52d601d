/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include "base/escape.h"

#include <time.h>

double budget_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void budget_look(struct budget *b)
{
    if (b->interrupt && atomic_load_explicit(b->interrupt, memory_order_relaxed))
        escape_raise(ESCAPE_INTERRUPTED);
    if (b->deadline > 0 && budget_now() > b->deadline)
        escape_raise(ESCAPE_TIME_BUDGET);
}
