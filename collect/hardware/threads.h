/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that run a program on the processor.
 *
 * Idea: threads are started once. In a batch each of them runs its part of the program many times, every time on fresh
 * variables. Before each run all meet at a barrier, spinning if they can, and leave it with a small random delay of
 * their own. A thread reads its steps from an array and writes the results of reads into an array of its own. But for
 * the barrier, only the variables under test are shared.
 *
 * Accesses are relaxed atomics, so that the program orders nothing that the processor does not. They are volatile, so
 * that the compiler keeps them in program order. So all observed reordering is the processor's.
 *
 * Invariant: the writes of a run write numbers that no other run ever writes. */
#ifndef ASSAY_COLLECT_HARDWARE_THREADS_H
#define ASSAY_COLLECT_HARDWARE_THREADS_H

#include "collect/hardware/program.h"

enum { WORKERS_MOST_THREADS = 64 };

struct team;

/* Starts the threads; escapes with *e filled in. They own nothing of mem; team_end must come before its release. */
struct team *team_start(uint32_t threads, enum hardware_pinning pinning, uint64_t seed, struct mem *mem,
                        assay_error *e);
void team_end(struct team *c);

/* How many bytes the variables of one run take. */
size_t team_footprint(const struct program *p, uint32_t stride);

/* Runs the program, `first` being the number of the first run, and returns when all threads are done. The program has
 * as many threads as the team. */
void team_run(struct team *c, const struct program *p, uint32_t stride, uint64_t first, uint32_t runs);

/* Could all threads be kept on their processors, if they were to be? */
bool team_pinned(const struct team *c);

/* The outcome of a run of the last batch, counted from 0: program_row(p) values. */
void team_outcome(const struct team *c, uint32_t run, int64_t *row);

#endif
