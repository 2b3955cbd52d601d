/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that run client programs. They are started once; a run begins when all of them have come. The thread that
 * asks for a run takes the part of thread 0 itself. */
#ifndef ASSAY_COLLECT_STRESS_WORKERS_H
#define ASSAY_COLLECT_STRESS_WORKERS_H

#include "assay_record.h"
#include "collect/stress/client.h"
#include "collect/stress/shared_run.h"

struct workers;

struct workers_settings {
    uint32_t threads, calls; /* of a program, at most */
    bool pin;                /* thread i stays on core i */
    assay_record_clock clock;
    enum stress_pace pace;
    /* The caller's, in memory that another process reads; both or none. NULL: the workers have their own. */
    assay_recorder *recorder;
    struct thread_stage *stages;
};

/* The room of a recorder for programs of so many calls: each may be followed by a release. */
static inline size_t workers_room(uint32_t calls)
{
    return 2 * (size_t)calls + 1;
}

/* And for so many numbers: those of further arguments, and of lists. */
static inline size_t workers_numbers(uint32_t calls)
{
    enum { OF_A_CALL = 16, LEAST = 4096 };
    return OF_A_CALL * workers_room(calls) + LEAST;
}

/* NULL: threads or memory could not be had. */
struct workers *workers_start(const struct vocabulary *v, const struct workers_settings *s);
void workers_end(struct workers *c);

/* Runs the program once, on a new object; the seed is for perturbations. All its calls are on the tapes of the recorder
 * until the next run. If some are missing, the answer says why, and the rest must not be judged; else it is NULL. */
const char *workers_run(struct workers *c, const struct client *p, uint64_t seed);
/* What the invariant says is wrong with the object of that run; NULL: nothing. Good until the next run. */
const char *workers_broken(const struct workers *c);
const assay_recorder *workers_recorder(const struct workers *c);

#endif
