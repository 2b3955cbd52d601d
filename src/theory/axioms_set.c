/* SPDX-License-Identifier: Apache-2.0 */
/* A set (Example 3.2), corrected. An add that returned true, or nothing, adds its value; an add that returned false has
 * found it. A remove removes the value, except that a remove that returned false has missed it. So an add that returned
 * true has also missed it, and a remove that returned true has found it. An operation that finds the value is matched
 * with some add before it and no remove between them (INCLUDE). An operation that misses it has, for every add before
 * it, a remove between them (EXCLUDE). */
#include "spec/roles.h"
#include "theory/theory.h"

static const struct theory_label labels[] = {
    {SET_ADD, OUTCOME_TRUE, ROLE_ADD | ROLE_MISS, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_FALSE, ROLE_SEE, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_NONE, ROLE_ADD, VALUE_ARGUMENT},
    {SET_ADD, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_TRUE, ROLE_REMOVE | ROLE_SEE, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_NONE, ROLE_REMOVE, VALUE_ARGUMENT},
    {SET_REMOVE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_ARGUMENT},
    {SET_CONTAINS, OUTCOME_TRUE, ROLE_SEE, VALUE_ARGUMENT},
    {SET_CONTAINS, OUTCOME_FALSE, ROLE_MISS, VALUE_ARGUMENT},
    {0},
};

static const struct theory_axiom include = {
    .name = "include",
    .says = "what is found has been put there before",
    .forall = {ROLE_SEE},
    .exists = ROLE_ADD,
    .such = {{MATCH, W, V1}, {BEFORE, W, V1}},
};

static const struct theory_axiom kept = {
    .name = "kept",
    .says = "what is found has not been taken away since it was put there",
    .forall = {ROLE_ADD, ROLE_SEE, ROLE_REMOVE},
    .given = {{SAME, V2, V3}, {OTHER, V2, V3}, {MATCH, V1, V2}},
    .then = {{BEFORE, V3, V1}, {BEFORE, V2, V3}},
};

static const struct theory_axiom exclude = {
    .name = "exclude",
    .says = "what is missed has been taken away whenever it was put there before",
    .forall = {ROLE_ADD, ROLE_MISS},
    .given = {{SAME, V1, V2}, {OTHER, V1, V2}, {BEFORE, V1, V2}},
    .exists = ROLE_REMOVE,
    .such = {{SAME, W, V2}, {OTHER, W, V2}, {BEFORE, V1, W}, {BEFORE, W, V2}},
};

const struct theory theory_set = {
    .name = "set",
    .labels = labels,
    .axioms = (const struct theory_axiom *const[]){&include, &kept, &exclude, NULL},
    .ambiguous = true,
    .by_value = true,
    .initial = INITIAL_VALUES,
};
