/* SPDX-License-Identifier: Apache-2.0 */
/* A queue (Example 3.1): ADDREM, EMPTY and FIFO. */
#include "theory/theory.h"

static const struct theory_axiom fifo = {
    .name = "fifo",
    .says = "what is put there first goes first",
    .forall = {ROLE_ADD, ROLE_ADD, ROLE_REMOVE | ROLE_SEE},
    .given = {{MATCH, V2, V3}, {BEFORE, V1, V2}},
    .exists = ROLE_REMOVE,
    .such = {{MATCH, V1, W}, {BEFORE, W, V3}},
};

const struct theory theory_queue = {
    .name = "queue",
    .labels = labels_of_collection,
    .axioms = (const struct theory_axiom *const[]){&axiom_found, &axiom_taken_once, &axiom_seen_before_taken,
                                                   &axiom_empty, &fifo, NULL},
    .initial = INITIAL_SEQUENCE,
};
