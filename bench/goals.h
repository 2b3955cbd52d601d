/* SPDX-License-Identifier: Apache-2.0 */
/* Cases with goals for one model and its default engine, and Axe's times next to them. */
#ifndef ASSAY_BENCH_GOALS_H
#define ASSAY_BENCH_GOALS_H

#include "bench/driver.h"

struct aim {
    const char *kind;
    uint32_t operations, threads, variables, mutate;
    int expected; /* as in a task */
    double seconds, megabytes;
    const char *axe;
};

/* Each case twice: in the order of execution, which a checker may profit from, and shuffled. */
void goals_run(struct bench *b, const char *model, const struct aim *aims, size_t n);

#endif
