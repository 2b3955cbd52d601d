/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories for the oracle of staleness: small ones with equal times, repeated and initial values, pending
 * operations, several variables and objects. A history knows its own reads and writes, and its text. */
#ifndef ASSAY_TESTS_ORACLE_STALENESS_HISTORY_H
#define ASSAY_TESTS_ORACLE_STALENESS_HISTORY_H

#include "support/say.h"

#include <stdbool.h>

enum { MAX_OPS = 16, MAX_ACCESSES = 4, MAX_THREADS = 4, MAX_VARS = 6, MAX_LIST = 3, NO_VALUE = -1 };

enum object { MEMORY, REGISTER, CAS_REGISTER, MAP, SEVERAL, TRANSACTIONS, OBJECTS };

struct access {
    char how; /* 'r', 'w'; of lists 'R', 'a' */
    int var;
    int value;
    int list[MAX_LIST + MAX_ACCESSES], length; /* 'R' */
    bool counts;                               /* a read: of a value that is known, and not of an own write */
    int version;                               /* a read: of the value, or of the last element of the list */
    bool last;                                 /* a write: no later one of the operation is of its variable */
};

struct op {
    int thread;
    long call, ret; /* pending: INT64_MAX */
    bool pending, aborted;
    struct access access[MAX_ACCESSES];
    int n;
};

struct history {
    enum object object;
    int n, threads;
    struct op op[MAX_OPS];
    int initial[MAX_VARS]; /* the value, or the last element of the list, of each variable */
    int node[MAX_THREADS]; /* 0: `@nodes` does not mention it */
    bool nodes;
    int clock; /* index of clock_units */
    long skew;
    struct text text;
};

extern const char *const clock_units[5]; /* the first is none */
extern const unsigned long long clock_nanoseconds[5];

/* From the state of chance.h. The caller frees h->text.bytes. */
void history_make(struct history *h);

#endif
