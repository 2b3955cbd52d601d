/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated memories: what they return is known to be right for some models. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_MACHINE_H
#define ASSAY_TESTS_ORACLE_MEMORY_MACHINE_H

#include "oracle/memory/history.h"

enum machine { DICE, SEQUENTIAL, BUFFERS, PARTIAL, REPLICAS };

struct memory { /* a simulated memory; values per variable */
    enum machine machine;
    int store[MAX_VARS];
    int queue[MAX_THREADS][MAX_OPS][2], queued[MAX_THREADS]; /* store buffers: variable, value */
    int seen[MAX_THREADS][MAX_VARS];                         /* replicas */
    struct {
        int var, val, from, needs[MAX_THREADS];
    } sent[MAX_OPS];
    int sent_count, sent_by[MAX_THREADS];
    int got[MAX_THREADS][MAX_THREADS]; /* replica t has applied so many messages of u */
};

struct shape {
    int ops, threads, vars;
    int alphabet;          /* 0: every write has a fresh value; else so many values */
    int rmw, fence, write; /* percent */
    enum machine machine;
};

void run_machine(struct history *h, const struct shape *s, struct memory *m);

#endif
