/* SPDX-License-Identifier: Apache-2.0 */
/* The search of the engine `queue-words` (queue_words.c has the idea): a question about some of the operations, and the
 * state of the answer. */
#ifndef ASSAY_SEARCH_QUEUE_WORDS_SEARCH_H
#define ASSAY_SEARCH_QUEUE_WORDS_SEARCH_H

#include "base/memo.h"
#include "base/vec.h"
#include "engine/engine.h"

enum role { ADD, REMOVE, PEEK, NOTHING, IDLE };

#define ANY (UINT32_MAX - 1)     /* the value of a pending removal */
#define INITIAL (UINT32_MAX - 1) /* the choice of the next initial value, in place of an operation */

struct side { /* operations in the order of their calls: a ring through its head */
    uint32_t head;
    VEC(uint32_t) maybe; /* pending ones, which are not in the ring */
};

struct step {
    uint32_t place; /* or INITIAL */
    uint32_t front, latest_find;
};

struct node {
    uint32_t trail, options_at, next;
    struct memo_key key;
};

struct words {
    struct job *job;
    struct mem *m;
    uint32_t n;
    enum role *role;
    uint32_t *value;          /* its number; ANY */
    uint32_t *given, given_n; /* numbers of the initial values */
    uint32_t values;
    uint32_t *start, *end; /* ranks */
    /* the question: a prefix, and the values that are in it */
    uint32_t until;
    bool *left_out;
    uint64_t most, choices;
    /* the state */
    uint32_t *ends; /* CALLS_NEVER: pending in the prefix */
    struct side adds, finds;
    uint32_t *next, *prev;
    bool *done;
    uint32_t *initial, initial_n; /* initial values that are in it */
    uint32_t initial_at;          /* so many of them have been chosen */
    uint32_t front;               /* a value, or ID_NONE */
    uint32_t nothing_left;        /* operations that found nothing and are not placed */
    uint32_t latest_find;         /* latest call of the finds placed */
    struct memo_key set;
    struct memo dead;
    VEC(struct step) trail;
    VEC(struct node) nodes;
    VEC(uint32_t) options;
    uint64_t *wanted, glance; /* of each value: the last glance at which a ready find had it */
};

static inline bool is_left_out(const struct words *w, uint32_t i)
{
    bool known = w->value[i] != ID_NONE && w->value[i] != ANY;
    return known && w->left_out[w->value[i]];
}

enum answer { ORDER, NO_ORDER, TOO_MANY };

/* Answers the question that `until` and `left_out` pose, with at most so many choices as `most`. */
enum answer words_ask(struct words *w);

/* Looks for two values whose operations have no linearization. The others are left out then. */
bool words_find_two(struct words *w);
/* Reports that there is no linearization, by few operations. */
void words_refute(struct words *w);

#endif
