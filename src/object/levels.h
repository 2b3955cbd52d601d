/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of objects whose state is a level from 0 to a top, moved by one step at a time, or several that are
 * independent: a lock, a semaphore, the values of a set (in or out) or of a multiset (how often).
 *
 * Idea. A configuration is a level together with which of the open operations have been linearized; as in
 * object/jit.c, they are extended at a return until the operation that returns is linearized, and what cannot be is
 * dropped. Two things keep them few. First, operations that do the same are linearized in the order of their returns:
 * they can change places in a linearization, because all of them are open. So there are as many configurations as
 * ways to choose how many of each kind. Tests of the level are linearized as soon as they pass; they change nothing.
 * Second, object/level.c proves that one configuration is enough if no level between 0 and the top fails a test and
 * each operation is known to move or not to: then the one that returns is linearized if it is possible, or after one
 * move back, or, if it is a test, after moves towards it; each time the move that returns first. The proof speaks of
 * operations called before the return only. So when an operation comes for which this does not hold (a failed try on
 * a semaphore(3); an add to a set whose result is not recorded, which moves the level if it can), the one
 * configuration is enough to go on from.
 *
 * Forgetting. A level that nobody has an operation open on, with one configuration, is a number; if it is the one
 * that levels have at first, it is nothing. */
#ifndef ASSAY_OBJECT_LEVELS_H
#define ASSAY_OBJECT_LEVELS_H

#include "online/scan.h"

enum level_kind {
    LEVEL_UP,
    LEVEL_DOWN,
    LEVEL_UP_IF, /* up unless it is at the top */
    LEVEL_DOWN_IF,
    LEVEL_TEST,
    LEVEL_KINDS
};

struct level_role {
    enum level_kind kind;
    int64_t low, high; /* a test: the levels that pass it; none if low > high */
};

#define LEVEL_NO_TOP INT64_MAX

struct levels_object {
    bool keyed; /* each value of the first argument has a level */
    /* What the operation does; one that never returned (returned == ONLINE_NEVER) is a move that need not happen. */
    struct level_role (*role)(const struct online_op *op, int64_t top);
    bool (*observes)(unsigned method); /* it never moves the level */
    void (*say)(struct text *out, int64_t level); /* "the lock is free" */
};

/* `start`: of a level that is not keyed; the initial values of the setting count otherwise. */
void *levels_open(const struct levels_object *o, const struct online_setup *s, int64_t start, int64_t top);

/* Hooks of struct scan. */
void levels_close(void *state);
bool levels_call(void *state, struct scan_op *o);
bool levels_ret(void *state, struct scan_op *o);
bool levels_pending(void *state, const struct online_op *op);
bool levels_matters(void *state, const struct online_op *op);
void levels_explain(void *state, struct online_fault *out, struct mem *m);
void levels_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t levels_live(const void *state);
const char *levels_weakened(const void *state);

/* A scan of levels, but for .object, .declines and .open. */
#define LEVELS_SCAN                                                                                                    \
    .close = levels_close, .call = levels_call, .ret = levels_ret, .pending = levels_pending,                         \
    .matters = levels_matters, .explain = levels_explain, .each_value = levels_each_value, .live = levels_live,       \
    .weakened = levels_weakened

#endif
