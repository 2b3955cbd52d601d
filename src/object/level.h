/* SPDX-License-Identifier: Apache-2.0 */
/* Objects whose state is a level between 0 and a top, moved by one step at a time: a value of a set (in or out), a lock, a
 * semaphore, a value of a multiset (how often). A file per object says what its calls do to the level; there are two drivers:
 *
 *   level_recorded.c   a recorded part: one sweep, with a witness. It has the idea and the proof.
 *   level_live.c       live events, in bounded memory.
 *
 * They stay apart. The sweep keeps one way to go on, in heaps by return, and declines where that may be wrong. The live driver
 * cannot decline: it goes on with all ways, as sets of the open operations that are linearized. */
#ifndef ASSAY_OBJECT_LEVEL_H
#define ASSAY_OBJECT_LEVEL_H

#include "object/plain.h"
#include "online/scan.h"

enum level_answer { LEVEL_NO_ANSWER, LEVEL_TRUE, LEVEL_FALSE, LEVEL_NUMBER, LEVEL_OTHER };

struct level_op {
    unsigned method;
    enum level_answer answer;
    int64_t number; /* LEVEL_NUMBER */
    bool pending;   /* it never returned: a move that need not happen */
};

enum level_kind {
    LEVEL_UP,      /* below the top: one up */
    LEVEL_DOWN,    /* above 0: one down */
    LEVEL_UP_IF,   /* up unless it is at the top */
    LEVEL_DOWN_IF, /* down unless it is at 0 */
    LEVEL_TEST,
    LEVEL_NOTHING /* pending, and of no effect */
};

struct level_role {
    enum level_kind kind;
    int64_t low, high; /* a test: the levels that pass it; none if low > high */
};

#define LEVEL_NO_TOP INT64_MAX

/* Tests: above 0; at 0; never passed. */
#define LEVEL_ABOVE ((struct level_role){LEVEL_TEST, 1, LEVEL_NO_TOP})
#define LEVEL_AT_BOTTOM ((struct level_role){LEVEL_TEST, 0, 0})
#define LEVEL_NEVER ((struct level_role){LEVEL_TEST, 1, 0})

struct level_object {
    bool keyed; /* each value of the first argument has a level */
    struct level_role (*role)(const struct level_op *o, int64_t top);
    void (*say)(struct text *out, int64_t level); /* "the lock is free" */
};

/* Decides a part of a recorded history; declines it if a result is not recorded, or if the answer would be no for want of a
 * better way. */
void level_run(struct job *job, const struct level_object *o, int64_t start, int64_t top);

/* `start`: of a level that is not keyed; the initial values of the setting count otherwise. */
void *level_scan_open(const struct level_object *o, const struct online_setup *s, int64_t start, int64_t top);

/* Hooks of struct scan. */
void level_scan_close(void *state);
bool level_scan_call(void *state, struct scan_op *o);
bool level_scan_ret(void *state, struct scan_op *o);
bool level_scan_pending(void *state, const struct online_op *op);
bool level_scan_matters(void *state, const struct online_op *op);
void level_scan_explain(void *state, struct online_fault *out, struct mem *m);
void level_scan_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t level_scan_live(const void *state);
const char *level_scan_weakened(const void *state);

/* A scan of levels, but for .object, .declines and .open. */
#define LEVEL_SCAN                                                                                                     \
    .close = level_scan_close, .call = level_scan_call, .ret = level_scan_ret, .pending = level_scan_pending,          \
    .matters = level_scan_matters, .explain = level_scan_explain, .each_value = level_scan_each_value,                 \
    .live = level_scan_live, .weakened = level_scan_weakened

#endif
