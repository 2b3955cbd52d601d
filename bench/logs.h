/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of events for monitors: simulated ones (live.h), and recorded ones of threads of this machine. */
#ifndef ASSAY_BENCH_LOGS_H
#define ASSAY_BENCH_LOGS_H

#include "bench/driver.h"
#include "bench/live.h"
#include "collect/collect.h"

struct log {
    const char *object;
    char *lines; /* "[3] call enq(7)\n[3] return\n" */
    size_t length;
    bool correct; /* the object is */
    double open;  /* calls that were open when another one began, on average */
};

/* Both do nothing once the bench does not go on. */
void logs_simulate(struct bench *b, struct log *to, size_t n, struct live_settings (*of)(size_t history));
void logs_record(struct bench *b, struct log *to, size_t n, const struct stress_recording *how);
void logs_free(struct log *logs, size_t n); /* their lines */

double logs_open(const struct log *logs, size_t n); /* the mean */

#endif
