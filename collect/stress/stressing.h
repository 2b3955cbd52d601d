/* SPDX-License-Identifier: Apache-2.0 */
/* The state of stress_run, which its steps share: stress.c runs programs and judges their histories, first_violation.c
 * makes the first violation small. Both have processes that send parcels. */
#ifndef ASSAY_COLLECT_STRESSING_H
#define ASSAY_COLLECT_STRESSING_H

#include "collect/stress/client.h"
#include "collect/stress/isolate.h"
#include "collect/stress/judge.h"
#include "collect/stress/runner.h"

struct stressing {
    assay_adapter adapter;                  /* the caller's, as the settings change it */
    struct stress_settings own;             /* the caller's, completed */
    const struct stress_settings *settings; /* the same */
    struct stress_outcome *out;
    assay_error *error;
    struct mem mem; /* of the vocabulary, and for shrinking */
    struct vocabulary words;
    struct judge judge;
    struct runner runner;
    struct client replayed;
    struct client most, smaller, coming; /* of shrinking: found, the smallest so far, and one that is being received */
    struct { /* of the program: processes that end in calls that wait are followed by others, which do not know them */
        uint64_t program;
        struct rows all;
        struct mem mem;
    } known;
    uint64_t began;      /* runs before the program */
    unsigned waits;      /* runs of the program that ended in calls that wait */
    char *waited;        /* the history of a run that ended in calls that wait; malloc, or NULL */
    size_t length;       /* of it */
    const char *who;     /* of a run that does not go on: calls that should have ended; NULL: there are none */
    struct mem look;     /* of the last look at such a run */
    double shrink_until; /* a moment of the clock */
};

enum parcel_kind { PARCEL_PROGRAM, PARCEL_HISTORY, PARCEL_CLIENT, PARCEL_SMALLER, PARCEL_ERROR };

/* The program as a file with the seed of its run, malloc. Without memory it escapes. */
char *stressing_program(struct stressing *x, const struct client *p, uint64_t seed);

/* Is the run that does not go on one of calls that wait, or a violation? Then its history is in `waited`. */
bool stressing_waits(void *stressing);

/* Shrinks the first violation, and notes it in the outcome. Escapes with the fault in x->error. */
void first_violation_take(struct stressing *x);

#endif
