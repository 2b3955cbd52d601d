/* SPDX-License-Identifier: Apache-2.0 */
/* A register (Example 3.3): READWRITE and READFROM, with an initial write, and without INJECTIVE. */
#include "theory/theory.h"

static const struct theory_axiom readfrom = {
    .name = "readfrom",
    .says = "a read finds the last write",
    .forall = {ROLE_ADD, ROLE_ADD, ROLE_SEE},
    .given = {{OTHER, V1, V2}, {MATCH, V2, V3}, {BEFORE, V1, V3}},
    .then = {{BEFORE, V1, V2}},
};

const struct theory theory_register = {
    .name = "register",
    .labels = labels_of_register,
    .axioms = (const struct theory_axiom *const[]){&axiom_found, &readfrom, NULL},
    .overwrites = true,
    .initial = INITIAL_ONE,
};
