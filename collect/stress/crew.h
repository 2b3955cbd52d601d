/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that run client programs. They are started once; a run begins when all of them have come. The thread that
 * asks for a run takes the part of thread 0 itself. */
#ifndef ASSAY_COLLECT_CREW_H
#define ASSAY_COLLECT_CREW_H

#include "assay_record.h"
#include "collect/stress/stress.h"
#include "collect/stress/client.h"

struct crew;

struct crew_settings {
    uint32_t threads, calls; /* of a program, at most */
    bool pin;                /* thread i stays on core i */
    assay_record_clock clock;
    enum stress_pace pace;
};

/* NULL: threads or memory could not be had. */
struct crew *crew_start(const struct vocabulary *v, const struct crew_settings *s);
void crew_end(struct crew *c);

/* Runs the program once, on a new object; the seed is for perturbations. What happened is on the tapes of the recorder
 * until the next run. False: the object could not be made. */
bool crew_run(struct crew *c, const struct client *p, uint64_t seed);
const assay_recorder *crew_recorder(const struct crew *c);

/* Any thread may ask: how many runs have begun, and what each thread that has not come to its end is calling, as text. */
uint64_t crew_runs(const struct crew *c);
void crew_where(const struct crew *c, char *out, size_t size);

#endif
