/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency, from the definition: is there a linearization, and a visible set for each of its operations, that
 * satisfy the axioms? */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_VISIBILITY_H
#define ASSAY_TESTS_ORACLE_OBJECTS_VISIBILITY_H

#include "oracle/objects/history.h"
#include "oracle/objects/search.h"

#include <stdbool.h>

#define MAX_AXIOMS 12
#define MAX_PATH 8
#define MAX_NAMED 4

struct axioms { /* each a path of letters: program order, happens-before, linearization, visibility */
    int count;
    char path[MAX_AXIOMS][MAX_PATH + 1];
};

struct weak_model {
    char name[1024];      /* as -m; empty: none is given */
    char visibility[256]; /* as --visibility, or empty */
    struct axioms all, own[MAX_NAMED];
    const char *method[MAX_NAMED]; /* those with axioms of their own */
    int named;
};

/* A random model; methods of the history get levels of their own now and then. `near`: near linearizability. */
void choose_model(struct weak_model *m, const struct history *h, bool near);

/* The operations on one object; those that are pending may have taken effect or not. */
enum answer weakly_consistent(const struct history *h, int object, const struct weak_model *m);

#endif
