/* SPDX-License-Identifier: Apache-2.0 */
/* Work in a process of its own, so that this one survives the implementation: a crash, a hang, a damaged heap, a call
 * of exit.
 *
 * One process does many runs, so a fork costs nothing that can be measured. It sends its histories through a pipe,
 * which also slows it down when the checks fall behind. It leads a process group of its own: signals that it sends to
 * its group do not reach the harness. Invariant: neither the process nor one that it made outlives the call of isolate,
 * nor the harness, however that ends: keeper.h sees to it. */
#ifndef ASSAY_COLLECT_ISOLATE_H
#define ASSAY_COLLECT_ISOLATE_H

#include "collect/stress/shared_run.h"

/* The end of the pipe in the process that works. */
struct outlet {
    int fd;
};

struct parcel {
    uint32_t kind; /* the sender's own, but not PARCEL_LAST */
    uint64_t number;
    uint64_t length;
};

enum { PARCEL_LAST = 0x7fffffff }; /* the process has done all its work; isolate sends and receives it */

/* If the harness does not read any more, the process ends. */
void outlet_send(const struct outlet *to, struct parcel head, const void *bytes);

struct isolated_work {
    struct shared_run *run;                               /* `stop` is set here */
    double hang;                                          /* seconds: hang.h */
    void (*work)(void *context, const struct outlet *to); /* in the new process; may use threads, must not escape */
    void (*receive)(void *context, struct parcel head, const char *bytes); /* here; must not escape */
    bool (*wants_more)(void *context); /* here, a few times a second; false: the process shall end */
    /* Here, when the run does not go on (hang.h): do its calls wait as they should? Then the process is ended. It runs
     * meanwhile, so its memory may change. NULL: no call should. */
    bool (*waits)(void *context);
    void *context;
};

enum process_end_kind {
    PROCESS_FINISHED,
    PROCESS_STOPPED, /* it was asked to end, and did not finish in time */
    PROCESS_EXITED,  /* with the status in number */
    PROCESS_KILLED,  /* by the signal in number */
    PROCESS_HUNG,
    PROCESS_WAITED,      /* it was ended in a run all of whose calls waited as they should */
    PROCESS_LOST_THREAD, /* a thread ended before its time */
    PROCESS_PAUSED,      /* by the signal in number, and would have waited for ever */
    PROCESS_LOST,        /* with its parent */
    PROCESS_BROKE,       /* it finished with an object whose invariant does not hold; isolate does not say so */
    PROCESS_MEDDLED,     /* it has changed memory or files of the harness */
    PROCESS_NONE         /* it could not be made, or there was no memory for its parcels */
};

struct process_end {
    enum process_end_kind kind;
    int number;
    bool finished; /* all work had been done before */
};

struct process_end isolate(const struct isolated_work *w);

#endif
