/* SPDX-License-Identifier: Apache-2.0 */
/* An exchanger (Example 3.4): EXCHANGE, SYMMETRIC, INJECTIVE and MATCHOVERLAP. Partners overlap, so its histories are
 * not sequential: `before` is happens-before. An exchange that returned null has no partner and no other
 * consequence. */
#include "spec/roles.h"
#include "theory/theory.h"

static const struct theory_label labels[] = {
    {EXCHANGER_EXCHANGE, OUTCOME_NULL, ROLE_MISS, VALUE_NONE},
    {EXCHANGER_EXCHANGE, OUTCOME_RETURNED, ROLE_SWAP, VALUE_ARGUMENT},
    {EXCHANGER_EXCHANGE, OUTCOME_NEVER, ROLE_SWAP, VALUE_ARGUMENT},
    {0},
};

static const struct theory_axiom exchange = {
    .name = "exchange",
    .says = "who gets a value has a partner",
    .forall = {ROLE_SWAP},
    .exists = ROLE_SWAP,
    .such = {{MATCH, W, V1}},
};

static const struct theory_axiom symmetric = {
    .name = "symmetric",
    .says = "partners get each other's values",
    .forall = {ROLE_SWAP, ROLE_SWAP},
    .given = {{MATCH, V1, V2}},
    .then = {{MATCH, V2, V1}},
};

static const struct theory_axiom injective = {
    .name = "injective",
    .says = "nobody has two partners",
    .forall = {ROLE_SWAP, ROLE_SWAP, ROLE_SWAP},
    .given = {{OTHER, V2, V3}, {MATCH, V1, V2}, {MATCH, V1, V3}},
};

static const struct theory_axiom overlap = {
    .name = "overlap",
    .says = "partners overlap",
    .forall = {ROLE_SWAP, ROLE_SWAP},
    .given = {{MATCH, V1, V2}, {BEFORE, V1, V2}},
};

const struct theory theory_exchanger = {
    .name = "exchanger",
    .labels = labels,
    .axioms = (const struct theory_axiom *const[]){&exchange, &symmetric, &injective, &overlap, NULL},
    .interval = true,
    .ambiguous = true,
};
