/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that run client programs. They are started once; a run begins when all of them have come. The thread that
 * asks for a run takes the part of thread 0 itself. */
#ifndef ASSAY_COLLECT_STRESS_WORKERS_H
#define ASSAY_COLLECT_STRESS_WORKERS_H

#include "assay_record.h"
#include "collect/stress/client.h"
#include "collect/stress/stress.h"

struct workers;

struct workers_settings {
    uint32_t threads, calls; /* of a program, at most */
    bool pin;                /* thread i stays on core i */
    assay_record_clock clock;
    enum stress_pace pace;
};

/* NULL: threads or memory could not be had. */
struct workers *workers_start(const struct vocabulary *v, const struct workers_settings *s);
void workers_end(struct workers *c);

/* Runs the program once, on a new object; the seed is for perturbations. The calls are on the tapes of the recorder
 * until the next run. False: the object could not be made. */
bool workers_run(struct workers *c, const struct client *p, uint64_t seed);
const assay_recorder *workers_recorder(const struct workers *c);

/* Any thread may ask for two things: the number of runs that have begun, and the current calls of the unfinished
 * threads, as text. */
uint64_t workers_runs(const struct workers *c);
void workers_where(const struct workers *c, char *out, size_t size);

#endif
