/* SPDX-License-Identifier: Apache-2.0 */
/* Generating: objects, their initial states, values; and a result that is spoiled. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_CHOOSE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_CHOOSE_H

#include "oracle/objects/calls.h"
#include "oracle/objects/history.h"

#include <stdbool.h>

/* The names of the kinds of objects, in one text; NULL: all. */
extern const char *only_kinds;

void spoil_result(struct history *h, struct taste *t);

/* A result, or a value that is put in. */
void spoil_something(struct history *h, struct taste *t);

/* Any tags and results at all, out of two tags and none, where the operation has tags. */
void scramble_tags(struct history *h);
void choose_init(struct history *h, struct taste *t);
void choose_objects(struct history *h, int objects, bool mixed, struct taste *t);
struct taste choose_taste(void);

#endif
