/* SPDX-License-Identifier: Apache-2.0 */
/* Notices that a run does not go on: calls of the implementation do not return, although they had their time.
 *
 * A clock on the wall would raise false alarms on a busy machine. So each thread that is within a function of the
 * implementation has a time of its own. It grows by the processor time that the thread uses, and by the time that it
 * sleeps, which waits for nobody's processor. It stands still while the thread waits for a core, is stopped, or waits
 * for a disk. So has a thread that is between two calls of its part. A run hangs when this time has reached the limit
 * in all these threads, and meanwhile no call has ended. It is settled when that holds for a moment, and all these
 * threads are in calls. They may be calls that wait, and will not end (wait.h). Where the system does not show its
 * threads (/proc), the clock on the wall has to do.
 *
 * A thread that has ended before its time is noticed at once, since its part of the run cannot go on. Threads of a
 * process that is about to end do not sleep any more. So a thread has ended itself if it is gone, and another one
 * sleeps. */
#ifndef ASSAY_COLLECT_HANG_H
#define ASSAY_COLLECT_HANG_H

#include "collect/stress/shared_run.h"

#include <sys/types.h>

struct hang_watch {
    const struct shared_run *run;
    pid_t process;
    double limit;  /* seconds; 0: none */
    double moment; /* seconds; 0: nobody wants to know whether the run is settled */
    bool told;     /* it is settled, since the last progress, and hang_look has said so */
    double looked; /* when */
    uint64_t progress;
    struct {
        double time; /* since the last progress */
        double used; /* processor time, in seconds, at the last look */
    } threads[STRESS_MOST_THREADS];
};

void hang_begin(struct hang_watch *w, const struct shared_run *run, pid_t process, double limit, double moment);

/* Does it hang? To be asked a few times a second. HANG_SETTLED is said once, until there is progress. */
enum hang_state { HANG_NONE, HANG_SETTLED, HANG_OF_CALLS, HANG_OF_A_LOST_THREAD };
enum hang_state hang_look(struct hang_watch *w);

#endif
