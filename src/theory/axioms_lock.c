/* SPDX-License-Identifier: Apache-2.0 */
/* A lock (Example 3.4): TOTAL(unlock) and MUTEX, which are those of a semaphore(1): theory/axioms_semaphore.c says why
 * they count. With tags (Example 5.2) unlocks are matched, and MUTEX is stated as it is printed, too. A trylock that
 * fails has seen the lock held. */
#include "spec/roles.h"
#include "theory/theory.h"

static const struct theory_label labels[] = {
    {LOCK_LOCK, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},    {LOCK_LOCK, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {LOCK_UNLOCK, OUTCOME_RETURNED, ROLE_REMOVE, VALUE_RESULT}, {LOCK_UNLOCK, OUTCOME_NEVER, ROLE_REMOVE, VALUE_RESULT},
    {LOCK_TRY, OUTCOME_TRUE, ROLE_ADD, VALUE_ARGUMENT},         {LOCK_TRY, OUTCOME_FALSE, ROLE_SEE, VALUE_NONE},
    {LOCK_TRY, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},        {0},
};

static const struct theory_axiom mutex = {
    .name = "mutex",
    .says = "one holds it at a time",
    .forall = {ROLE_ADD},
    .bound = BOUND_ROOM,
};

static const struct theory_axiom held = {
    .name = "held",
    .says = "an unlock needs a holder",
    .forall = {ROLE_REMOVE},
    .bound = BOUND_HELD,
};

static const struct theory_axiom between = {
    .name = "between",
    .says = "it is unlocked before it is locked again",
    .forall = {ROLE_ADD, ROLE_ADD},
    .given = {{BEFORE, V1, V2}},
    .exists = ROLE_REMOVE,
    .such = {{MATCH, V1, W}, {BEFORE, W, V2}},
    .tagged = true,
};

static const struct theory_axiom refused = {
    .name = "refused",
    .says = "an attempt fails only where somebody holds it",
    .forall = {ROLE_SEE},
    .bound = BOUND_FULL,
};

const struct theory theory_lock = {
    .name = "lock",
    .labels = labels,
    .axioms = (const struct theory_axiom *const[]){&mutex, &held, &refused, &axiom_holder, &axiom_released_once,
                                                   &between, NULL},
    .ambiguous = true,
};
