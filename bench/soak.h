/* SPDX-License-Identifier: Apache-2.0 */
/* A long run: one process writes a log into a pipe, and another one follows it with a monitor. The log is that of a
 * running program, or of the clients of a store. */
#ifndef ASSAY_BENCH_SOAK_H
#define ASSAY_BENCH_SOAK_H

#include "bench/driver.h"
#include "bench/live.h"
#include "collect/collect.h"

enum { SOAK_SAMPLES = 100 };

struct soak {
    const char *engine; /* of the monitor; NULL: its default */
    uint64_t events;
    struct live_settings log;
    /* Histories of a collector, "transactions" or "object", and its settings. NULL: calls of `log`. Of transactions the
     * model, and the number of sessions. */
    const char *collector;
    const struct collect_settings *store;
    const char *model;
    size_t sessions;
};

struct soaked {
    char engine[24]; /* that followed */
    bool exact;
    uint64_t events;              /* that it got through */
    double cpu;                   /* seconds of the monitor's process */
    uint64_t violation, wrong_at; /* the event that it reported, the one that was wrong; 0: none */
    uint32_t samples;
    uint64_t forgotten, kept;   /* transactions: all that were forgotten, the most that were kept after a check */
    double curve[SOAK_SAMPLES]; /* resident megabytes, after as many parts of the events */
};

void soak_run(struct bench *b, const struct soak *s, struct soaked *out);

#endif
