/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/schedule.h"

#include "oracle/objects/history.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls and returns one after another: the n-th event happens at time n. */
static void make_events(struct history *h, int ops, int pending_percent)
{
    int open[MAX_THREADS], time = 0, stopped = 0, eagerness = 20 + below(60);
    for (int t = 0; t < h->threads; t++)
        open[t] = NONE;
    while (h->ops < ops || chance(90)) {
        int t = below(h->threads);
        if (open[t] == -2)
            continue;
        if (open[t] != NONE) {
            if (chance(eagerness))
                continue;
            if (chance(pending_percent) && stopped + 1 < h->threads) {
                open[t] = -2; /* it never returns */
                stopped++;
                continue;
            }
            h->op[open[t]].ret_event = ++time;
            h->op[open[t]].ret = time;
            h->op[open[t]].pending = false;
            open[t] = NONE;
        } else if (h->ops < ops) {
            struct op *op = &h->op[h->ops];
            op->thread = t;
            op->call_event = ++time;
            op->call = time;
            op->pending = true;
            open[t] = h->ops++;
        }
    }
    if (chance(70)) /* who is still open may return */
        for (int i = 0; i < h->ops; i++)
            if (open[h->op[i].thread] == i) {
                h->op[i].ret_event = ++time;
                h->op[i].ret = time;
                h->op[i].pending = false;
            }
}

static int64_t stretched(int64_t t, int how, int64_t top)
{
    switch (how) {
    case 1: return INT64_MIN + t;
    case 2: return INT64_MAX - top + t;
    case 3: return t == 0 ? INT64_MIN : t >= top ? INT64_MAX : t;
    default: return t;
    }
}

/* Times that tie. */
static void make_times(struct history *h, int ops, int pending_percent)
{
    int64_t now[MAX_THREADS], top = 0;
    bool stopped[MAX_THREADS] = {0};
    int gap = 1 + below(4), how = chance(20) ? 1 + below(3) : 0;
    for (int t = 0; t < h->threads; t++)
        now[t] = below(3);
    while (h->ops < ops) {
        int t = below(h->threads);
        bool all = true;
        for (int i = 0; i < h->threads; i++)
            all = all && stopped[i];
        if (all)
            break;
        if (stopped[t])
            continue;
        struct op *op = &h->op[h->ops++];
        op->thread = t;
        op->call = now[t] += below(gap);
        op->ret = now[t] += below(gap + 1);
        op->pending = stopped[t] = chance(pending_percent);
        top = now[t] > top ? now[t] : top;
    }
    for (int i = 0; i < h->ops; i++) {
        h->op[i].call = stretched(h->op[i].call, how, top);
        h->op[i].ret = stretched(h->op[i].ret, how, top);
    }
    if (chance(35))
        h->skew = chance(10) ? INT64_MAX : 1 + below(2);
}

static void make_knowledge(struct history *h, int ops, int pending_percent)
{
    int count[MAX_THREADS] = {0};
    bool stopped[MAX_THREADS] = {0};
    int density = below(70);
    for (int tries = 0; h->ops < ops && tries < 10 * ops; tries++) {
        int t = below(h->threads);
        if (stopped[t])
            continue;
        struct op *op = &h->op[h->ops++];
        op->thread = t;
        op->pending = stopped[t] = chance(pending_percent);
        for (int u = 0; u < h->threads; u++)
            if (u != t && count[u] && chance(density))
                op->after[u] = 1 + below(count[u]);
        count[t] += !op->pending;
    }
}

void shape(struct history *h, int ops, int threads, enum clock clock, int pending_percent)
{
    h->clock = clock;
    h->threads = threads;
    for (int i = 0; i < ops; i++)
        h->op[i].result = NONE;
    if (clock == EVENTS)
        make_events(h, ops, pending_percent);
    else if (clock == TIMES)
        make_times(h, ops, pending_percent);
    else
        make_knowledge(h, ops, pending_percent);
    for (int i = 0; i < h->ops; i++)
        h->op[i].object = below(h->objects);
}
