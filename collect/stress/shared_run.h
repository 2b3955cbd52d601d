/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the current run, in memory that the harness shares with the process of the implementation. Every store
 * is made before the step that it announces, so the harness can read how far a process came that was killed. The calls
 * themselves are on the tapes of the recorder, which lie in such memory, too. */
#ifndef ASSAY_COLLECT_SHARED_RUN_H
#define ASSAY_COLLECT_SHARED_RUN_H

#include "assay_record.h"
#include "collect/stress/client.h"
#include "collect/stress/stress.h"

#include <stdatomic.h>

/* OUTSIDE: it has nothing to do, or waits at a barrier of the harness. BETWEEN: it will go on with its part of the run
 * by itself. In the others it is within that function of the implementation. */
enum run_stage {
    STAGE_OUTSIDE,
    STAGE_BETWEEN,
    STAGE_CREATE,
    STAGE_ENTER,
    STAGE_CALL,
    STAGE_LEAVE,
    STAGE_INVARIANT,
    STAGE_DESTROY
};

static inline bool stage_is_inside(uint8_t stage)
{
    return stage != STAGE_OUTSIDE && stage != STAGE_BETWEEN;
}

/* Of one thread, which alone writes it, except at a barrier. Threads do not share cache lines. */
struct thread_stage {
    _Alignas(ASSAY_RECORD_LINE) _Atomic uint8_t stage; /* of run_stage */
    _Atomic int32_t id;                                /* of the system; 0: not known */
    _Atomic uint64_t calls, failed;                    /* that have ended, and those of them that had no effect */
    _Atomic uint64_t points;                           /* marked ones that calls have come to */
    _Atomic uint64_t made[CLIENT_MOST_METHODS];        /* calls of each method */
};

struct shared_run {
    _Atomic uint64_t programs, runs; /* that have begun */
    _Atomic uint64_t seed;           /* of the perturbations of the run */
    _Atomic uint64_t overlapping;    /* runs in which calls of different threads overlapped */
    _Atomic uint32_t left_threads;   /* of the implementation, at the end of the process; 0: hardly any */
    _Atomic bool stop;               /* the harness asks the process to end */
    /* Of shrinking: candidates that the process has begun; how many it shall pass over; and whether it has found a
     * smaller program. */
    _Atomic uint32_t candidates, passed_over;
    _Atomic bool smaller;
    char broken[128]; /* what the invariant says is wrong with the object of the last run; "": nothing */
    struct thread_stage threads[STRESS_MOST_THREADS];
};

struct shared_run *shared_run_new(void); /* zeroed; NULL: no memory */
void shared_run_free(struct shared_run *run);

#endif
