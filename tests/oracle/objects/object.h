/* SPDX-License-Identifier: Apache-2.0 */
/* The sequential objects, each a specification of its own, from the definitions alone. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_OBJECT_H
#define ASSAY_TESTS_ORACLE_OBJECTS_OBJECT_H

#include "oracle/objects/history.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_HELD 170

struct object { /* pairs sorted by key; of collections the values in order; or a number */
    int count;
    int64_t number, writer;
    int key[MAX_HELD], value[MAX_HELD];
};

void set_key(struct object *o, int key, int value);
bool is_keyed(enum kind k);
bool is_sequence(enum kind k);
bool has_tags(enum kind k);

/* Which of the holders with different tags a release releases, and how many there are. */
extern int release_choice;
int releases(const struct object *o);

void create(const struct history *h, int object, struct object *o);
/* The value of the variable. */
int load(const struct object *o, int key);

/* Accounts of a bank, and the balance of each at first. */
enum { ACCOUNTS = 3, FIRST_BALANCE = 2 };

/* Takes the operation's step. False: it cannot take effect here. *result stays NONE if there is none. */
bool step(const struct history *h, struct object *o, const struct op *op, int *result);

/* Is this the result that the operation had, as far as it says? */
bool result_fits(const struct history *h, const struct op *op, int result);

#endif
