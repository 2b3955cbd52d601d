/* SPDX-License-Identifier: Apache-2.0 */
#include "theory/rules.h"

#include <assert.h>

struct reading { /* the parts of an axiom's variables; -1: none */
    int finder, fixed, free;
};

static struct reading read_variables(const struct theory_axiom *a)
{
    struct reading r = {-1, -1, -1};
    for (int i = 0; i < THEORY_ATOMS && a->given[i].predicate; i++)
        if (a->given[i].predicate == MATCH) {
            r.finder = (int)a->given[i].y;
            r.fixed = (int)a->given[i].x;
        }
    for (int v = 0; v < THEORY_VARIABLES && a->forall[v]; v++) {
        if (a->forall[v] == ROLE_MISS)
            r.finder = v;
        else if (a->forall[v] == ROLE_ADD && v != r.fixed)
            r.free = v;
    }
    return r;
}

static void add_literal(struct rule *rule, struct reading r, int before, int after)
{
    bool free_first = before == r.free || before == W;
    int fixed = free_first ? after : before, free = free_first ? before : after;
    assert(rule->n < RULE_LITERALS);
    rule->at[rule->n++] = (struct literal){fixed == r.finder, free_first, free == W ? PLANE_REMOVE : PLANE_ADD};
}

static bool read_axiom(const struct theory_axiom *a, struct rule *rule)
{
    struct reading r = read_variables(a);
    if (r.finder < 0 || r.free < 0)
        return false;
    *rule = (struct rule){.axiom = a, .finders = a->forall[r.finder]};
    for (int i = 0; i < THEORY_ATOMS; i++) {
        if (a->given[i].predicate == BEFORE)
            add_literal(rule, r, (int)a->given[i].y, (int)a->given[i].x);
        if (a->then[i].predicate == BEFORE)
            add_literal(rule, r, (int)a->then[i].x, (int)a->then[i].y);
        if (a->such[i].predicate == BEFORE)
            add_literal(rule, r, (int)a->such[i].x, (int)a->such[i].y);
        rule->ranked |= a->given[i].predicate == LESS;
    }
    return true;
}

uint32_t rules_of(const struct theory *t, struct rule out[RULE_MOST])
{
    uint32_t n = 0;
    for (const struct theory_axiom *const *a = t->axioms; *a; a++) {
        assert(n < RULE_MOST);
        n += read_axiom(*a, &out[n]);
    }
    return n;
}
