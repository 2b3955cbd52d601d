/* SPDX-License-Identifier: Apache-2.0 */
/* A priority queue (Example 3.1): ADDREM, EMPTY and MAX. */
#include "theory/theory.h"

static const struct theory_axiom max = {
    .name = "max",
    .says = "what has the highest priority goes first",
    .forall = {ROLE_ADD, ROLE_ADD, ROLE_REMOVE | ROLE_SEE},
    .given = {{MATCH, V1, V3}, {LESS, V1, V2}, {BEFORE, V2, V3}},
    .exists = ROLE_REMOVE,
    .such = {{MATCH, V2, W}, {BEFORE, W, V3}},
};

const struct theory theory_pqueue = {
    .name = "pqueue",
    .labels = labels_of_collection,
    .axioms = (const struct theory_axiom *const[]){&axiom_found, &axiom_taken_once, &axiom_seen_before_taken,
                                                   &axiom_empty, &max, NULL},
    .initial = INITIAL_VALUES,
};
