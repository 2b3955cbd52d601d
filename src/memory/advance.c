/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/advance.h"

void advance_init_lanes(struct advance *a, struct lanes lanes, struct mem *m)
{
    a->lanes = lanes;
    a->done = mem_new(m, uint32_t, lanes.count);
    a->goal = mem_new(m, uint32_t, lanes.count);
    a->wake = mem_new(m, uint32_t, lanes.count);
    a->waiters = mem_new(m, uint32_t, lanes.count);
    a->next_waiter = mem_new(m, uint32_t, lanes.count);
    a->awaited = mem_new(m, uint32_t, lanes.count);
    a->ready = mem_new(m, uint32_t, lanes.count);
    a->asleep = mem_new(m, bool, lanes.count);
    advance_reset(a);
}

void advance_init(struct advance *a, const struct rw *v, struct mem *m)
{
    advance_init_lanes(a, (struct lanes){v->k, v->base, v->thread}, m);
}

void advance_reset(struct advance *a)
{
    a->ready_count = 0;
    for (uint32_t t = 0; t < a->lanes.count; t++) {
        a->done[t] = a->goal[t] = 0;
        a->wake[t] = a->waiters[t] = ID_NONE;
        a->asleep[t] = false;
    }
}

void advance_raise(struct advance *a, uint32_t thread, uint32_t goal)
{
    if (goal <= a->goal[thread])
        return;
    bool idle = a->done[thread] == a->goal[thread] && !a->asleep[thread];
    a->goal[thread] = goal;
    if (idle)
        a->ready[a->ready_count++] = thread;
}

void advance_raise_all(struct advance *a)
{
    for (uint32_t t = a->lanes.count; t-- > 0;)
        advance_raise(a, t, a->lanes.start[t + 1] - a->lanes.start[t]);
}

static void sleep_until(struct advance *a, uint32_t t, uint32_t event)
{
    uint32_t u = a->lanes.of[event], position = event - a->lanes.start[u];
    a->asleep[t] = true;
    a->awaited[t] = event;
    a->next_waiter[t] = a->waiters[u];
    a->waiters[u] = t;
    if (position < a->wake[u])
        a->wake[u] = position;
}

/* Thread u has passed the position that a thread waits for. */
static void wake_waiters(struct advance *a, uint32_t u)
{
    uint32_t first = ID_NONE, *link = &a->waiters[u];
    while (*link != ID_NONE) {
        uint32_t t = *link;
        uint32_t position = a->awaited[t] - a->lanes.start[u];
        if (position < a->done[u]) {
            *link = a->next_waiter[t];
            a->asleep[t] = false;
            a->ready[a->ready_count++] = t;
        } else {
            if (position < first)
                first = position;
            link = &a->next_waiter[t];
        }
    }
    a->wake[u] = first;
}

static void run_thread(struct advance *a, uint32_t t)
{
    uint32_t e = a->lanes.start[t] + a->done[t];
    while (a->done[t] < a->goal[t]) {
        uint32_t blocker = a->blocker(a->arg, e);
        if (blocker != ID_NONE) {
            sleep_until(a, t, blocker);
            return;
        }
        a->done[t]++;
        if (a->place)
            a->place(a->arg, e);
        e++;
        if (a->done[t] > a->wake[t])
            wake_waiters(a, t);
        budget_tick(a->budget);
    }
}

static uint32_t first_short_of_goal(const struct advance *a)
{
    for (uint32_t t = 0; t < a->lanes.count; t++)
        if (a->done[t] < a->goal[t])
            return t;
    return ID_NONE;
}

bool advance_run(struct advance *a)
{
    while (a->ready_count)
        run_thread(a, a->ready[--a->ready_count]);
    return first_short_of_goal(a) == ID_NONE;
}

bool advance_sort(struct advance *a, uint32_t (*blocker)(void *arg, uint32_t e), void (*place)(void *arg, uint32_t e),
                  void *arg, struct budget *budget)
{
    a->blocker = blocker;
    a->place = place;
    a->arg = arg;
    a->budget = budget;
    advance_reset(a);
    advance_raise_all(a);
    return advance_run(a);
}

/* The thread that a sleeping thread waits for is a function of it: following the function long enough ends on a
 * cycle. */
uint32_t advance_on_cycle(const struct advance *a)
{
    uint32_t t = first_short_of_goal(a);
    for (uint32_t i = 0; i < a->lanes.count; i++)
        t = a->lanes.of[a->awaited[t]];
    return a->lanes.start[t] + a->done[t];
}
