/* SPDX-License-Identifier: Apache-2.0 */
/* A long run: one process writes the log of a running program into a pipe, another follows it with a monitor. */
#ifndef ASSAY_BENCH_SOAK_H
#define ASSAY_BENCH_SOAK_H

#include "bench/driver.h"
#include "bench/live.h"

enum { SOAK_SAMPLES = 100 };

struct soak {
    const char *engine; /* of the monitor; NULL: its default */
    uint64_t events;
    struct live_settings log;
};

struct soaked {
    char engine[24]; /* that followed */
    bool exact;
    uint64_t events;              /* that it got through */
    double cpu;                   /* seconds of the monitor's process */
    uint64_t violation, wrong_at; /* the event that it reported, the one that was wrong; 0: none */
    uint32_t samples;
    double curve[SOAK_SAMPLES]; /* resident megabytes, after as many parts of the events */
};

void soak_run(struct bench *b, const struct soak *s, struct soaked *out);

#endif
