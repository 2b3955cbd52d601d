/* SPDX-License-Identifier: Apache-2.0 */
/* A client program for the processor under test, and the outcome of one run.
 *
 * Invariant: the writes of a program are numbered from 1, so that each writes a value of its own. */
#ifndef ASSAY_COLLECT_HARDWARE_PROGRAM_H
#define ASSAY_COLLECT_HARDWARE_PROGRAM_H

#include "base/rng.h"
#include "base/vec.h"
#include "collect/access.h"

struct program_step {
    uint32_t variable;
    uint32_t value; /* the number of a write or an exchange */
    enum access_kind kind;
};

struct program_thread {
    VEC(struct program_step) steps;
    uint32_t results; /* how many of them return a value: reads and exchanges */
};

struct program {
    struct program_thread *threads;
    uint32_t thread_count, variables;
    uint32_t operations, results, writes; /* of all threads */
    bool *written;                        /* by variable */
    bool ends;                            /* the final values of the variables are part of the outcome */
    bool lettered;                        /* the variables are called x, y, z and not x0, x1, ... */
};

struct program_mix {
    uint32_t threads, operations, variables;
    uint32_t reads, fences, rmws; /* of 100 */
};

/* That of a shape, from its text (struct hardware_shape). */
struct program program_of_shape(const char *text, struct mem *mem);
/* Operations are spread evenly over the threads. The final values of a long program tell next to nothing. They would
 * keep a last write of every variable in the report of a violation, so they are left out. */
struct program program_random(const struct program_mix *mix, struct rng *rng, struct mem *mem);
void program_free(struct program *p, struct mem *mem);

/* An outcome is a row of values. First come the results of the reads and exchanges, thread by thread. Then, if the
 * program `ends`, comes the final value of each variable. A value is the number of a write, 0 for the initial one, or
 * negative: no write wrote it. */
static inline uint32_t program_row(const struct program *p)
{
    return p->results + (p->ends ? p->variables : 0);
}

/* The history of an outcome, thread by thread; escapes, with *e filled in. */
void program_history(const struct program *p, const int64_t *row, assay_history *out, struct mem *mem, assay_error *e);

#endif
