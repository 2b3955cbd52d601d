/* SPDX-License-Identifier: Apache-2.0 */
/* How far does a monitor get in so much time? In a process of its own, which a signal stops: some of them stop at
 * nothing else. Time is CPU time, so that a busy machine measures the same. */
#ifndef ASSAY_BENCH_RACE_H
#define ASSAY_BENCH_RACE_H

#include "bench/logs.h"

enum { RACE_STEPS = 4096 };

struct race {
    const char *engine;    /* of the monitor; NULL: its default */
    double limit;          /* CPU seconds */
    const struct log *log; /* at most RACE_STEPS events of it */
};

struct lap {
    uint32_t steps;        /* events that it got through */
    double at[RACE_STEPS]; /* CPU seconds, after each of them */
    uint32_t violation;    /* the event that was reported; 0: none */
    double found;          /* when */
    bool failed;           /* it cannot run here */
};

/* Runs all races, as many at a time as there are processors; the laps are the caller's. Faults: a violation in a log
 * that is correct. */
void race_run(struct bench *b, const struct race *races, struct lap *laps, size_t n);

#endif
