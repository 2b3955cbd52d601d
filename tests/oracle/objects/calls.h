/* SPDX-License-Identifier: Apache-2.0 */
/* Generating: the calls that objects have, with arguments and results. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_CALLS_H
#define ASSAY_TESTS_ORACLE_OBJECTS_CALLS_H

#include "oracle/objects/history.h"
#include "oracle/objects/object.h"

#include <stdbool.h>

struct choice {
    enum kind kind;
    enum method method;
    int args;          /* 0, 1 or 2 arguments by the letters in shape */
    const char *shape; /* k: a key, v: a value, n: a small number, s: a string, g: a tag or nothing,
                        * a: an account, m: an amount */
    char result;       /* '-': none, '*': none, ok or true; '?': may be absent; '!': there; '~': a tag, or absent */
    int weight;
    const char *names; /* separated by spaces */
};

const struct choice *choice_of(enum kind k, enum method m);

/* Strings that an append-map is given: letters that come again; all different ones; beginnings of one another. */
enum pieces { LETTERS, OWN_PIECES, BEGINNINGS };

/* What values a history has: all different, or few that repeat. */
struct taste {
    bool distinct, words, integers;
    int fresh, pool;
    bool empties, nulls;
    bool lists;  /* calls whose results are lists are made */
    int repeats; /* percent of the values that come again, where all should be different */
    int amount;  /* by which a counter changes, up or down; 0: by any */
    enum pieces pieces;
    int tags, untold; /* percent of the calls that have a tag, and of the releases that do not say which */
};

int fresh_value(struct taste *t, bool integers);
int pooled_value(struct taste *t, bool integers);

/* While each key has an order of its own: the key, or NONE. */
extern int only_key;

int some_value(const struct history *h, int object, struct taste *t, bool adds);

/* A call for the operation, and whether it can take effect on the object as it is. */
bool choose_call(const struct history *h, struct op *op, struct object *o, struct taste *t, int *result);

int random_result(const struct history *h, const struct op *op, struct taste *t);

/* Results that make sense for the method, so that the reader does not refuse them. */
bool acceptable(const struct history *h, const struct op *op, int result);

#endif
