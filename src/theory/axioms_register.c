/* SPDX-License-Identifier: Apache-2.0 */
/* A register (Example 3.3): READWRITE and READFROM, with an initial write, and without INJECTIVE. */
#include "spec/roles.h"
#include "theory/theory.h"

static const struct theory_label labels[] = {
    {REGISTER_WRITE, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {REGISTER_WRITE, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {REGISTER_READ, OUTCOME_RETURNED, ROLE_SEE, VALUE_RESULT},
    {0},
};

static const struct theory_axiom readfrom = {
    .name = "readfrom",
    .says = "a read finds the last write",
    .forall = {ROLE_ADD, ROLE_ADD, ROLE_SEE},
    .given = {{OTHER, V1, V2}, {MATCH, V2, V3}, {BEFORE, V1, V3}},
    .then = {{BEFORE, V1, V2}},
};

const struct theory theory_register = {
    .name = "register",
    .labels = labels,
    .axioms = (const struct theory_axiom *const[]){&axiom_found, &readfrom, NULL},
    .overwrites = true,
    .initial = INITIAL_ONE,
};
