/* SPDX-License-Identifier: Apache-2.0 */
/* Plays: histories of objects as plain numbers, cheap to enumerate, to change and to cut. */
#ifndef ASSAY_TESTS_SUPPORT_PLAY_H
#define ASSAY_TESTS_SUPPORT_PLAY_H

#include "assay_spec.h"
#include "base/rng.h"
#include "base/text.h"

enum { PLAY_MOST = 24, PLAY_ARGS = 6, PLAY_ARGUMENTS = 3, PLAY_OBJECTS = 20, PLAY_THREADS = 4 };

struct play_op {
    uint8_t thread;
    uint8_t object; /* if there are several */
    const char *method;
    uint8_t arg_count;
    assay_value args[PLAY_ARGS];
    assay_value result;
    bool pending;
    int64_t call, ret;
    uint8_t knows[PLAY_THREADS]; /* PLAY_KNOWN: so many operations of each thread had returned */
};

/* Intervals; what they say of who returned before whom was called; less than that, drawn at random; no time. */
enum play_times { PLAY_INTERVALS, PLAY_AFTER, PLAY_KNOWN, PLAY_NONE };

struct play {
    const char *object;                  /* with its parameter: "semaphore(2)" */
    const char *init;                    /* or NULL */
    const char *other[PLAY_OBJECTS - 1]; /* further objects; then all have names */
    uint32_t other_n;
    uint32_t n;
    uint32_t crowd; /* so many calls of o1, a counter, follow one after the other, in 500 units of time each */
    enum play_times times;
    struct play_op op[PLAY_MOST]; /* those of a thread in program order */
};

/* How many operations of its thread come before it. */
static inline uint32_t play_index(const struct play *p, uint32_t i)
{
    uint32_t index = 0;
    for (uint32_t j = 0; j < i; j++)
        index += p->op[j].thread == p->op[i].thread;
    return index;
}

/* A value as it stands in a log. */
void play_put_value(struct text *t, assay_value v);

/* As a .hist file, and as a history, which goes to assay_history_free. */
void play_print(const struct play *p, FILE *out);
assay_history *play_build(const struct play *p);

/* Removes operations, one at a time, while `holds` says that what matters is still there. */
void play_shrink(struct play *p, bool (*holds)(const struct play *p, void *arg), void *arg);

/* The end of a test: shrinks a play that is broken, and prints it after what is said to be wrong with it, which `broken`
 * writes to `why` each time it is asked. */
_Noreturn void play_expose(const struct play *p, bool (*broken)(const struct play *p, void *arg), void *arg,
                           const char *why);

/* What a random play is made of. */
struct play_object {
    const char *object;
    const assay_spec *spec;
};

struct cast {
    const char *object, *init;
    const assay_spec *spec;
    struct play_object other[PLAY_OBJECTS - 1];
    uint32_t other_n;
    const char *const *methods; /* those that are called, up to NULL; NULL: all */
    bool lists;                 /* methods whose results are lists are called, too; monitors do not follow those */
    bool words;                 /* values are words, where the object takes them */
    /* Objects and keys keep program order only each for itself: a split that is not allowed cannot see the rest of it. */
    bool apart;
    uint32_t least, most, threads; /* operations, threads */
    uint32_t values;               /* small integers that arguments are drawn from */
    int64_t shift;                 /* of the amounts that are added to a counter: they may be negative */
    bool distinct;                 /* what a collection is given is always another value */
    uint32_t pending;              /* percent of the threads whose last operation never returns */
    uint32_t lies;                 /* results that are changed afterwards, at most */
    /* Operations come in rounds: once one has returned, none is called until all have. Then what they did is the past of all
     * that follow. */
    bool rounds;
    uint32_t silent; /* percent of the results that may be absent and are; 0: one in 8 */
    uint32_t ties;   /* percent of the events that happen at the time of the one before */
};

/* An execution of the object by several threads, recorded, with lies. */
struct play play_random(const struct cast *c, struct rng *rng);

/* Draws what each operation knows, all of it true: no more than the times say. Of at most PLAY_THREADS threads. */
void play_draw_knowledge(struct play *p, struct rng *rng);

/* The definition: is there an order of all the operations (but for some pending ones) that extends happens-before
 * (`real_time`) or program order, and is what the objects do? The history is not split, nothing is pruned. Exchanges take
 * place two at a time. */
bool play_satisfies(const assay_history *h, const struct play *p, bool real_time, int64_t skew);

#endif
