/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the programs of a campaign one after the other, each many times, and hands on the histories that differ. */
#ifndef ASSAY_COLLECT_RUNNER_H
#define ASSAY_COLLECT_RUNNER_H

#include "collect/stress/judge.h"
#include "collect/stress/workers.h"

struct runner {
    const struct stress_settings *settings;
    const struct vocabulary *words;
    const struct client *only; /* the one program to run; NULL: random ones */
    unsigned
        resume; /* runs of the program `programs` that are behind: it goes on with the next one; 0: a new program */
    struct shared_run *run;
    assay_recorder *recorder;
    double started;          /* on the clock of budget_now */
    uint64_t programs, runs; /* that have begun; `run` has copies that the implementation may damage */
    void (*begins)(void *context, uint64_t program, uint64_t runs); /* after so many runs; may be NULL */
    void (*history)(void *context, uint64_t program, const char *text, size_t length);
    void *context;
    assay_error *error;
    bool broken; /* an invariant did not hold; `run` has it */
    /* its own */
    struct workers *workers;
    struct mem mem; /* of one program */
    struct distinct_runs seen;
};

/* The program of that number; programs are counted from 1. */
struct client runner_program(const struct runner *r, uint64_t number, struct mem *mem);

/* The seed of a run of the program, which is its repeat-th one, from 0. */
uint64_t runner_seed(const struct runner *r, uint64_t number, unsigned repeat);

/* From the next program on, or within the one to be resumed, until the settings, `run->stop` or an invariant that does
 * not hold end it. False with an error. */
bool runner_run(struct runner *r);

/* For the threads: escapes with an error if there are none to be had. */
struct workers *runner_workers(const struct runner *r);

#endif
