/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the current run, in memory that the harness shares with the process of the implementation. Every store
 * is made before the step that it announces, so the harness can read how far a process came that was killed. The calls
 * themselves are on the tapes of the recorder, which lie in such memory, too. */
#ifndef ASSAY_COLLECT_SHARED_RUN_H
#define ASSAY_COLLECT_SHARED_RUN_H

#include "assay_record.h"
#include "collect/stress/stress.h"

#include <stdatomic.h>

enum run_stage { STAGE_OUTSIDE, STAGE_CREATE, STAGE_ENTER, STAGE_CALL, STAGE_LEAVE, STAGE_DESTROY };

/* Of one thread, which alone writes it. Threads do not share cache lines. */
struct thread_stage {
    _Alignas(ASSAY_RECORD_LINE) _Atomic uint8_t stage; /* the function of the implementation that it is in */
    _Atomic int32_t id;                                /* of the system; 0: not known */
    _Atomic uint64_t calls, failed;                    /* that have ended, and those of them that had no effect */
};

struct shared_run {
    _Atomic uint64_t programs, runs; /* that have begun */
    _Atomic uint64_t seed;           /* of the perturbations of the run */
    _Atomic bool stop;               /* the harness asks the process to end */
    struct thread_stage threads[STRESS_MOST_THREADS];
};

struct shared_run *shared_run_new(void); /* zeroed; NULL: no memory */
void shared_run_free(struct shared_run *run);

#endif
