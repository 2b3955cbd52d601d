/* SPDX-License-Identifier: Apache-2.0 */
/* Levels: objects whose state is a number between 0 and a top, moved by one step at a time. Such objects are a value of
 * a set (in or out), a lock, a semaphore, and a value of a multiset (its number of copies). One file per object maps
 * its calls to moves and tests of the level. There are two drivers:
 *
 *   level_recorded.c   a recorded part: one sweep, with a witness. It has the idea and the proof.
 *   level_live.c       live events, in bounded memory.
 *
 * The drivers stay apart. The sweep follows one configuration, keeps its open moves in heaps ordered by return, and
 * declines where one configuration may not be enough. The live driver cannot decline: it follows all configurations, as
 * sets of the open operations that are linearized. */
#ifndef ASSAY_SCAN_LEVEL_H
#define ASSAY_SCAN_LEVEL_H

#include "online/scan.h"
#include "search/plain_part.h"

enum level_answer { LEVEL_NO_ANSWER, LEVEL_TRUE, LEVEL_FALSE, LEVEL_NUMBER, LEVEL_OTHER };

struct level_op {
    unsigned method;
    enum level_answer answer;
    int64_t number; /* the answer, if it is LEVEL_NUMBER */
    bool pending;   /* it never returned: its move need not happen */
};

enum level_kind {
    LEVEL_UP,      /* one up; possible below the top only */
    LEVEL_DOWN,    /* one down; possible above 0 only */
    LEVEL_UP_IF,   /* one up; no effect at the top */
    LEVEL_DOWN_IF, /* one down; no effect at 0 */
    LEVEL_TEST,
    LEVEL_NOTHING /* pending, and without effect */
};

struct level_role {
    enum level_kind kind;
    int64_t low, high; /* of a test: the levels that pass it; none if low > high */
};

#define LEVEL_NO_TOP INT64_MAX

/* Tests that pass above 0, at 0, and at no level. */
#define LEVEL_ABOVE ((struct level_role){LEVEL_TEST, 1, LEVEL_NO_TOP})
#define LEVEL_AT_BOTTOM ((struct level_role){LEVEL_TEST, 0, 0})
#define LEVEL_NEVER ((struct level_role){LEVEL_TEST, 1, 0})

struct level_object {
    bool keyed; /* each value of the first argument has a level of its own */
    struct level_role (*role)(const struct level_op *o, int64_t top);
    void (*say)(struct text *out, int64_t level); /* "the lock is free" */
    bool (*tagged)(const struct online_op *op);   /* does it return the tag of a holder? NULL: never */
};

/* Decides a part of a recorded history. Declines a part with an unrecorded result or a count above 0. Declines, too, if
 * the sweep fails where another choice of moves might succeed. */
void level_run(struct job *job, const struct level_object *o, int64_t start, int64_t top);

/* `start` is the initial level of an object that is not keyed. Keyed levels start from the initial values of the
 * setting. */
void *level_scan_open(const struct level_object *o, const struct online_setup *s, int64_t start, int64_t top);

/* Hooks of struct scan. */
bool level_scan_attaches(const struct online_setup *setup);
void level_scan_close(void *state);
bool level_scan_call(void *state, struct scan_op *o);
bool level_scan_ret(void *state, struct scan_op *o);
bool level_scan_pending(void *state, const struct online_op *op);
bool level_scan_is_empty(const void *state);
bool level_scan_matters(void *state, const struct online_op *op);
void level_scan_explain(void *state, struct online_fault *out, struct mem *m);
void level_scan_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t level_scan_live(const void *state);
const char *level_scan_weakened(const void *state);
void level_scan_image(void *state, struct image *x);

/* The fields of a scan of levels, except .object, .declines and .open. */
#define LEVEL_SCAN                                                                                                     \
    .attaches = level_scan_attaches, .close = level_scan_close, .call = level_scan_call, .ret = level_scan_ret,        \
    .pending = level_scan_pending, .matters = level_scan_matters, .explain = level_scan_explain,                       \
    .each_value = level_scan_each_value, .live = level_scan_live, .weakened = level_scan_weakened,                     \
    .is_empty = level_scan_is_empty, .image = level_scan_image

#endif
