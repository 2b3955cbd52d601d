/* SPDX-License-Identifier: Apache-2.0 */
/* Small histories of one object in real time, with the object's behaviour and a plain search for a linearization. It
 * shares nothing with the library. */
#ifndef ASSAY_TESTS_CUTS_SKETCH_H
#define ASSAY_TESTS_CUTS_SKETCH_H

#include <stdbool.h>

enum { MOST = 7, VALUES = 4, FRESH = 9, NONE = -999, NULLED = -998, BLOCKED = -1000, OWN = 100, TEXT = 4096 };
enum object {
    REGISTER,
    CAS,
    MEMORY,
    MAP,
    SET,
    COUNTER,
    QUEUE,
    STACK,
    MULTISET,
    LOCK,
    SEMAPHORE,
    DEQUE,
    PQUEUE,
    OBJECTS
};
/* ADD and TAKE of a lock are lock and unlock, TRY is trylock, and likewise of a semaphore for two; GET of a multiset is
 * count. A call of a deque is about its front if b is even. */
enum method { READ, WRITE, SWAP, RMW, GET, PUT, REMOVE, HAS, ADD, TAKE, PEEK, TRY };

struct op {
    enum method method;
    int key, a, b, result; /* result NONE: nothing; of a take or peek 0: empty; of a yes or no: 1 or 0 */
    int call, ret, thread;
    bool pending;
    int number; /* in the first history */
};

struct sketch {
    enum object object;
    int n, init, keys;
    bool any;
    struct op op[MOST];
};

/* The state of a register, cas-register, variable or counter begins with a number. */
bool is_numeric(enum object o);
/* A lock or a semaphore. */
bool is_held(enum object o);
/* A queue, a stack, a deque or a priority queue. */
bool holds_values(enum object o);
/* May the initial state be any? */
bool from_any(enum object o);

/* The result of the call, and the state after it; BLOCKED: it cannot take effect. */
int step(enum object object, long *state, const struct op *op);

/* With this result, does the call change nothing in any state? */
bool observes(enum object object, const struct op *op);

bool precedes(const struct op *a, const struct op *b);
bool linearizable(const struct sketch *s);

#endif
