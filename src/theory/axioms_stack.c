/* SPDX-License-Identifier: Apache-2.0 */
/* A stack (Example 3.1): ADDREM, EMPTY and LIFO. */
#include "theory/theory.h"

static const struct theory_axiom lifo = {
    .name = "lifo",
    .says = "what is put there last goes first",
    .forall = {ROLE_ADD, ROLE_ADD, ROLE_REMOVE | ROLE_SEE},
    .given = {{MATCH, V1, V3}, {BEFORE, V1, V2}, {BEFORE, V2, V3}},
    .exists = ROLE_REMOVE,
    .such = {{MATCH, V2, W}, {BEFORE, W, V3}},
};

const struct theory theory_stack = {
    .name = "stack",
    .labels = labels_of_collection,
    .axioms = (const struct theory_axiom *const[]){&axiom_found, &axiom_taken_once, &axiom_seen_before_taken,
                                                   &axiom_empty, &lifo, NULL},
    .initial = INITIAL_SEQUENCE,
};
