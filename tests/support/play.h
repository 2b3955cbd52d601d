/* SPDX-License-Identifier: Apache-2.0 */
/* Plays: histories of objects as plain numbers, cheap to enumerate, to change and to cut. */
#ifndef ASSAY_TESTS_SUPPORT_PLAY_H
#define ASSAY_TESTS_SUPPORT_PLAY_H

#include "assay.h"
#include "base/rng.h"

enum { PLAY_MOST = 16, PLAY_ARGS = 6, PLAY_ARGUMENTS = 3 };

struct play_op {
    uint8_t thread;
    const char *method;
    uint8_t arg_count;
    assay_value args[PLAY_ARGS];
    assay_value result;
    bool pending;
    int64_t call, ret;
};

enum play_times { PLAY_INTERVALS, PLAY_AFTER, PLAY_NONE };

struct play {
    const char *object; /* with its parameter: "semaphore(2)" */
    const char *init;   /* or NULL */
    uint32_t n;
    enum play_times times;
    struct play_op op[PLAY_MOST]; /* those of a thread in program order */
};

/* As a .hist file, and as a history, which goes to assay_history_free. */
void play_print(const struct play *p, FILE *out);
assay_history *play_build(const struct play *p);

/* Removes operations, one at a time, while `holds` says that what matters is still there. */
void play_shrink(struct play *p, bool (*holds)(const struct play *p, void *arg), void *arg);

/* The end of a test: shrinks a play that is broken, and prints it after what is said to be wrong with it, which `broken`
 * writes to `why` each time it is asked. */
_Noreturn void play_expose(const struct play *p, bool (*broken)(const struct play *p, void *arg), void *arg, const char *why);

/* What a random play is made of. */
struct cast {
    const char *object, *init;
    const assay_spec *spec;
    uint32_t least, most, threads; /* operations, threads */
    uint32_t values;  /* small integers that arguments are drawn from */
    bool distinct;    /* what a collection is given is always another value */
    uint32_t pending; /* percent of the threads whose last operation never returns */
    uint32_t lies;    /* results that are changed afterwards, at most */
    uint32_t ties;    /* percent of the events that happen at the time of the one before */
};

/* An execution of the object by several threads, recorded, with lies. */
struct play play_random(const struct cast *c, struct rng *rng);

/* The definition: is there an order of all the operations (but for some pending ones) that extends happens-before
 * (`real_time`) or program order, and is what the object does? The history is not split, nothing is pruned. */
bool play_satisfies(const assay_history *h, const struct play *p, const assay_spec *spec, bool real_time, int64_t skew);

#endif
