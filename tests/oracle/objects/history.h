/* SPDX-License-Identifier: Apache-2.0 */
/* A history of calls of objects, as .hist defines it. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_HISTORY_H
#define ASSAY_TESTS_ORACLE_OBJECTS_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_OPS 192
#define MAX_THREADS 40
#define MAX_OBJECTS 24
#define MAX_ARGS 12
#define NONE (-1)

enum kind {
    REGISTER,
    CAS_REGISTER,
    MEMORY,
    MULTI_REGISTER,
    MAP,
    APPEND_MAP,
    QUEUE,
    STACK,
    DEQUE,
    PQUEUE,
    PQUEUE_MIN,
    SET,
    MULTISET,
    COUNTER,
    BANK,
    LOCK,
    RWLOCK,
    SEMAPHORE,
    COUNTING,
    EXCHANGER,
    KINDS
};

enum method {
    READ,
    WRITE,
    CAS,
    RMW,
    FENCE,
    TXN,
    PUT,
    GET,
    REMOVE,
    HAS_KEY,
    HAS_VALUE,
    SIZE,
    APPEND,
    ADD_BACK,
    ADD_FRONT,
    TAKE_FRONT,
    TAKE_BACK,
    PEEK_FRONT,
    PEEK_BACK,
    CONTAINS,
    COUNT,
    INC,
    DEC,
    ADD,
    ACQUIRE,
    RELEASE,
    TRY,
    RD_ACQUIRE,
    RD_RELEASE,
    RD_TRY,
    EXCHANGE,
    ELEMENTS,
    TRANSFER,
    BALANCE,
    BALANCES
};

struct op {
    int thread, object;
    enum method method;
    const char *name;
    int arg_count, args[MAX_ARGS]; /* of a txn: 0 or 1 for r or w, variable, value (NONE: ?) */
    int result;                    /* NONE: absent */
    bool pending;
    int64_t call, ret;         /* times */
    int call_event, ret_event; /* of a history of events, from 1; 0: none */
    int after[MAX_THREADS];    /* how many operations of each thread had returned */
    int number;                /* in the text */
    int part, rank;            /* what it was simulated with, and when */
};

enum clock { EVENTS, TIMES, AFTER };

struct history {
    enum clock clock;
    bool event_form, named, shuffled, odd_names;
    int threads, objects, ops;
    enum kind kinds[MAX_OBJECTS];
    int parameters[MAX_OBJECTS];
    int init_count, init_keys[8], init_values[8]; /* key NONE: a plain value */
    bool init_list;
    int64_t skew;
    bool has_empty_value;
    struct op op[MAX_OPS];
};

extern const char *const kind_names[KINDS];

#endif
