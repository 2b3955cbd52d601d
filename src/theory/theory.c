/* SPDX-License-Identifier: Apache-2.0 */
#include "theory/theory.h"

#include "base/registry.h"

#define X(ident, name) extern const struct theory theory_##ident;
#include "theory/theory.def"
#undef X

const struct theory *const theory_table[] = {
#define X(ident, name) &theory_##ident,
#include "theory/theory.def"
#undef X
    NULL};

const struct theory *theory_find(const char *object)
{
    return theory_table[registry_find(theory_table, object)];
}

/* Does it say of all operations with the role the same, without a condition? */
static bool is_about_one(const struct theory_axiom *a)
{
    return !a->forall[1] && !a->given[0].predicate && !a->then[0].predicate;
}

unsigned theory_matched(const struct theory *t, bool tagged)
{
    unsigned roles = 0;
    for (const struct theory_axiom *const *a = t->axioms; *a; a++)
        if ((tagged || !(*a)->tagged) && is_about_one(*a) && (*a)->exists && (*a)->such[0].predicate == MATCH &&
            (*a)->such[0].x == W)
            roles |= (*a)->forall[0];
    return roles;
}

/* ---- shared by several objects ---- */

/* ADDREM, READWRITE, TOTAL: an operation that finds or removes a value finds one that was added before. */
const struct theory_axiom axiom_found = {
    .name = "found",
    .says = "what is found was put there before",
    .forall = {ROLE_REMOVE | ROLE_SEE},
    .exists = ROLE_ADD,
    .such = {{MATCH, W, V1}, {BEFORE, W, V1}},
};

/* INJECTIVE */
const struct theory_axiom axiom_taken_once = {
    .name = "once",
    .says = "nothing is taken twice",
    .forall = {ROLE_ADD, ROLE_REMOVE, ROLE_REMOVE},
    .given = {{OTHER, V2, V3}, {MATCH, V1, V2}, {MATCH, V1, V3}},
};

/* TOTAL and INJECTIVE of releases. */
const struct theory_axiom axiom_holder = {
    .name = "holder",
    .says = "a release has a holder of its tag",
    .forall = {ROLE_REMOVE},
    .exists = ROLE_ADD,
    .such = {{MATCH, W, V1}, {BEFORE, W, V1}},
    .tagged = true,
};

const struct theory_axiom axiom_released_once = {
    .name = "once",
    .says = "nobody is released twice",
    .forall = {ROLE_ADD, ROLE_REMOVE, ROLE_REMOVE},
    .given = {{OTHER, V2, V3}, {MATCH, V1, V2}, {MATCH, V1, V3}},
    .tagged = true,
};

const struct theory_axiom axiom_seen_before_taken = {
    .name = "seen",
    .says = "what is seen has not been taken",
    .forall = {ROLE_ADD, ROLE_SEE, ROLE_REMOVE},
    .given = {{MATCH, V1, V2}, {MATCH, V1, V3}},
    .then = {{BEFORE, V2, V3}},
};

/* EMPTY */
const struct theory_axiom axiom_empty = {
    .name = "empty",
    .says = "nothing is found only where all that was put there has been taken",
    .forall = {ROLE_MISS, ROLE_ADD},
    .given = {{BEFORE, V2, V1}},
    .exists = ROLE_REMOVE,
    .such = {{MATCH, V2, W}, {BEFORE, W, V1}},
};
