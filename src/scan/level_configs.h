/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations of one level (level.h) of a live history.
 *
 * Idea. A configuration is a level together with the set of open operations that are linearized in it. As in
 * search/jit.c, configurations are extended at a return until the operation that returns is linearized. Configurations
 * in which it cannot be linearized are dropped. Two facts keep configurations few.
 *
 * First, operations of the same kind are linearized in the order of their returns. They can change places in a
 * linearization, because all of them are open. So a configuration is one choice of how many operations of each kind are
 * linearized. Tests of the level are linearized as soon as they pass, because they change nothing.
 *
 * Second, level_recorded.c proves that one configuration is enough under two conditions. No level between 0 and the top
 * fails a test, and each operation is known to move the level or not to move it. Then a move that returns is linearized
 * if it is possible, or else after one move back. A test that returns is linearized after moves towards its level. Each
 * time, the move that returns first is made.
 *
 * The proof speaks of operations called before the return only. A later operation may violate the conditions. Examples
 * are a failed try on a semaphore(3), and an add to a set whose result is not recorded, which moves the level if it
 * can. Then the one configuration is enough to go on from. */
#ifndef ASSAY_SCAN_LEVEL_CONFIGS_H
#define ASSAY_SCAN_LEVEL_CONFIGS_H

#include "base/rows.h"
#include "scan/level.h"

enum { LEVEL_WORDS = 4 };
enum { LEVEL_MOST_OPEN = 64 * LEVEL_WORDS }; /* operations open on a level; a configuration has a bit for each */

struct places {
    uint64_t word[LEVEL_WORDS];
};

struct config {
    int64_t level;
    struct places done; /* open operations that are linearized */
};

struct configs {
    VEC(struct config) at;
    struct rows seen; /* the configurations of `at`, once there are FEW */
};

struct level {
    struct value key;
    struct places busy;   /* places of open operations */
    uint32_t words, open; /* words of a mask in use; number of open operations */
    struct online_op op[LEVEL_MOST_OPEN];
    struct level_role role[LEVEL_MOST_OPEN];
    struct configs now;
    bool branching; /* one configuration may not be enough */
    bool given_up;
    bool alone; /* given up: the operation that is open has overlapped no other */
};

struct level_space { /* what all levels share */
    struct mem *mem;
    struct budget *budget;
    int64_t top;
    struct configs next, extended; /* while a level is extended in every way */
};

static inline bool level_passes(const struct level_role *r, int64_t level)
{
    return r->low <= level && level <= r->high;
}

static inline void configs_clear(struct configs *c)
{
    vec_clear(&c->at);
    rows_clear(&c->seen);
}

/* Adds the configuration unless it is there. */
void configs_add(struct level_space *s, struct configs *to, const struct config *c);
void configs_free(struct mem *m, struct configs *c);
/* Has every configuration linearized i? */
bool configs_all_did(const struct configs *c, uint32_t i);

/* Extends the configurations of the level until i is linearized in each. False: there is none left. */
bool level_linearize(struct level_space *s, struct level *l, uint32_t i);

#endif
