/* SPDX-License-Identifier: Apache-2.0 */
/* Stress: random client programs of an implementation, run again and again; their histories are recorded and checked.
 * This is the interface for the program; docs/guides/stress.md explains it to users.
 *
 * The data's way: client.h makes a program from a seed, and workers.h runs it with real threads and records it. This
 * happens in a process of its own (isolate.h), which sends the histories that it has not seen before. judge.h checks
 * them here. shrink.h makes the first violation small, in another process. A process that ends before its time is a
 * finding: casualty.h reads its calls from shared memory. Calls that do not return may be calls that wait: wait.h.
 * record.c and sample.c only record. */
#ifndef ASSAY_COLLECT_STRESS_STRESS_H
#define ASSAY_COLLECT_STRESS_STRESS_H

#include "assay.h"
#include "assay_adapter.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { STRESS_MOST_THREADS = 64, STRESS_MOST_CALLS = 10000 };

/* implement/implement.def and cpp.def; up to NULL. Those of C++ libraries are names only: see the functions. */
extern const assay_adapter *const adapter_table[];
size_t adapter_count(void);
const assay_adapter *adapter_at(size_t i);           /* that of the table, or of the plug-in if there is one */
const assay_adapter *adapter_find(const char *name); /* the same by name, or NULL */

/* Does this process survive the loading of the shared object? False with an error. */
bool adapter_can_load(const char *path, assay_error *e);
/* The adapters that a shared object exports, up to NULL; it stays loaded. NULL with an error. */
const assay_adapter *const *adapter_load(const char *path, assay_error *e);

struct stress_settings {
    const assay_adapter *adapter;
    unsigned threads, invocations; /* of a program */
    unsigned values;               /* arguments are 1 .. values; 0: chosen for the object */
    const char *mix;               /* "enq=2,deq=1", or NULL: the adapter's weights */
    const char *waits;             /* "deq=empty", as in an adapter, and more than it says; or NULL */
    const char *roles;             /* "deq=0", as in an adapter, and besides its own; or NULL */
    const char *before, *after;    /* calls one after the other, instead of the adapter's; or NULL */
    const char *initial;           /* instead of the adapter's, if that has one; or NULL */
    uint64_t seed;
    double hang;      /* a call that has not returned after so many seconds of its own hangs: hang.h; 0: none does */
    double seconds;   /* end after so long; 0: no limit */
    uint64_t runs;    /* end after so many runs; 0: no limit */
    unsigned repeats; /* runs of a program before the next one */
    bool pin;         /* thread i stays on core i */
    bool keep_going;  /* do not end at the first violation */
    double shrink;    /* a smaller program and history are looked for so long; 0: not at all */
    const char *model;
    assay_options check; /* visibility, spec, engine, time and memory of a check, interrupt */
    /* A distinct history, as .hist, of the program of that number; programs come in turn. False: it could not be kept.
     * NULL: they are not wanted. */
    bool (*keep)(void *context, uint64_t program, const char *text, size_t length);
    /* A program that has shown a violation, once each, as a text for stress_replay_read. May be NULL. */
    bool (*keep_program)(void *context, uint64_t program, const char *file);
    void (*progress)(void *context, uint64_t runs); /* now and then; may be NULL */
    void *context;
    /* Run this program only, in this process, for debuggers: nothing survives a crash then. Its threads and calls are
     * those of the settings. NULL: random programs, in a process of their own. */
    const struct stress_replay *replay;
    /* Set by stress_run: the methods, and the object for a history in which a call answers instead of waiting; NULL: no
     * method waits. */
    const struct vocabulary *words;
    const assay_spec *blocking;
};

/* A client program in a file, of a casualty or written by hand. It has the form of a .hist without results. */
struct stress_replay {
    assay_history *program;
    const char *implementation; /* the name of the adapter; NULL: the file does not say */
    const char *initial;        /* the initial content; NULL: the file does not say */
    unsigned threads, calls;
    uint64_t seed; /* of the run that ended so */
};

/* False with an error that says where. */
bool stress_replay_read(const char *path, struct stress_replay *out, assay_error *e);
void stress_replay_free(struct stress_replay *r);

static inline bool stress_stopped(const struct stress_settings *s)
{
    return s->check.interrupt && s->check.interrupt(s->check.interrupt_arg);
}

/* A process of the implementation that crashed, hung or ended itself. Its memory is the outcome's. */
struct stress_casualty {
    const char *how; /* "signal 11 (SIGSEGV)"; NULL: there was none */
    bool hung;
    bool broken;            /* it is alive: its invariant did not hold */
    uint64_t program;       /* from 1; 0: it ended after the last run */
    uint64_t run;           /* of all, from 1 */
    double after;           /* seconds */
    const char *client;     /* the program in thread columns */
    const char *file;       /* the program as a text for stress_replay_read */
    const char *waits;      /* of a hang: what --waits should say if that is no fault ("deq=empty"), or NULL */
    const char *where;      /* functions other than `call` that threads were in, a line for each */
    assay_history *history; /* the calls of the run, pending where they had not returned; NULL: they are not known */
};

struct stress_outcome {
    uint64_t programs, runs, distinct, violations, undecided;
    uint64_t calls_made, calls_failed; /* failed calls had no effect and are in no history */
    uint64_t points;                   /* marked points that calls have come to */
    uint64_t overlapping;              /* runs in which calls of different threads overlapped */
    const char *never;                 /* methods that were never called: "deq, size"; NULL: there are none */
    unsigned left_threads;             /* of the implementation, when its process had done all runs; 0: hardly any */
    bool one_thread;                   /* the smallest program found has calls of one thread only */
    const char *left_out;              /* methods of which no call is valid, and why; NULL: none. Of `mem` */
    uint64_t waits;                    /* runs that ended in calls that wait as they should */
    uint64_t casualties;
    struct stress_casualty casualty; /* the first one */
    double seconds;                  /* of running and checking */
    double found_after;              /* the first violation, in seconds */
    double shrunk_in;                /* seconds */
    uint64_t found_in;               /* the number of its program, from 1 */
    bool interrupted;
    struct mem *mem;      /* holds the casualty */
    char *program;        /* the smallest client program found, in thread columns, or NULL; malloc */
    char *file;           /* the same as a text for stress_replay_read; malloc */
    unsigned calls;       /* of that program */
    assay_history *whole; /* the history of that program, or NULL */
    /* Where shrinking has found a smaller program: the first one, its calls, and its history. */
    char *found_file; /* as above, or NULL; malloc */
    unsigned found_calls;
    assay_history *found_whole;
    assay_history *history; /* the smallest part found that still violates the model, perhaps the whole */
    assay_result *result;   /* of that part */
};

/* The first of so many threads that have methods to call, by the roles of the adapter and these (or NULL). */
unsigned stress_threads(const assay_adapter *a, const char *roles, unsigned most);

/* False with an error: a setting that makes no sense, a history that could not be checked. */
bool stress_run(const struct stress_settings *s, struct stress_outcome *out, assay_error *e);
void stress_free(struct stress_outcome *out);

/* ---- recording only: histories to measure with ---- */

enum stress_pace {
    STRESS_VARIED,  /* runs differ in how much they are disturbed, and where */
    STRESS_CROWDED, /* threads pause within their calls, so that many are open at a time */
    STRESS_APART    /* threads pause between their calls and seldom within them, so that few overlap */
};

struct stress_recording {
    const assay_adapter *adapter; /* not for objects with releasing methods, if the mix counts */
    unsigned threads;
    unsigned invocations; /* of a program; 0: the mix counts them, and each has so many of each method */
    const char *mix;      /* as above */
    enum stress_pace pace;
    bool stamps; /* by the clock instead of by counters: operations have times */
    uint64_t seed;
};

/* The histories of n random programs, each of which is run once; they are the caller's. False with an error: there is
 * none. */
bool stress_record(const struct stress_recording *s, assay_history **to, size_t n, assay_error *e);

/* ---- sampling: some of the different histories of a few programs ---- */

struct stress_sampling {
    const assay_adapter *adapter; /* of methods whose arguments are numbers */
    unsigned programs;            /* random ones, each of at most so many threads and calls */
    unsigned threads, invocations;
    const char *mix; /* as above */
    double seconds;  /* each program is run again and again for so long */
    enum stress_pace pace;
    uint64_t seed;
};

struct stress_sample {
    assay_history **histories; /* with times: calls and returns in the order that the counters of the threads tell */
    size_t n;
    uint64_t runs, distinct; /* of all programs: runs, and those that look different */
    uint64_t sequences;      /* distinct ones whose order is that of a sequence of calls and returns */
};

/* At most n histories of those sequences, chosen at random. False with an error: there is none. */
bool stress_sample(const struct stress_sampling *s, size_t n, struct stress_sample *out, assay_error *e);
void stress_sample_free(struct stress_sample *s);

/* A history in thread columns, every line indented. */
void stress_show(const assay_history *h, FILE *to);

#endif
