/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore(n) (Example 3.4): LIMIT and TOTAL(release). Releases can be matched with acquires before them, no two
 * with the same, iff before each of them more has been acquired than released. n acquires before another are not all
 * unreleased iff fewer than n are held there. So the axioms count. With tags (Example 5.3) releases are matched,
 * too. */
#include "spec/roles.h"
#include "theory/theory.h"

static const struct theory_label labels[] = {
    {SEMAPHORE_ACQUIRE, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_ACQUIRE, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_RELEASE, OUTCOME_RETURNED, ROLE_REMOVE, VALUE_RESULT},
    {SEMAPHORE_RELEASE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_RESULT},
    {SEMAPHORE_TRY, OUTCOME_TRUE, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_TRY, OUTCOME_FALSE, ROLE_SEE, VALUE_NONE},
    {SEMAPHORE_TRY, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {0},
};

static const struct theory_axiom limit = {
    .name = "limit",
    .says = "at most n hold it at a time",
    .forall = {ROLE_ADD},
    .bound = BOUND_ROOM,
};

static const struct theory_axiom held = {
    .name = "held",
    .says = "a release needs a holder",
    .forall = {ROLE_REMOVE},
    .bound = BOUND_HELD,
};

static const struct theory_axiom full = {
    .name = "full",
    .says = "an attempt fails only where n hold it",
    .forall = {ROLE_SEE},
    .bound = BOUND_FULL,
};

const struct theory theory_semaphore = {
    .name = "semaphore",
    .labels = labels,
    .axioms = (const struct theory_axiom *const[]){&limit, &held, &full, &axiom_holder, &axiom_released_once, NULL},
    .ambiguous = true,
};
