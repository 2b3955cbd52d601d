/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `enumerate`: at each return, all linearizations are tried one after another, and evaluated against
 * the axioms of the object's theory.
 *
 * Idea. A linearization is built from its front. Next comes any operation all of whose predecessors in real time are
 * there, with any adder for the value that it finds. The axioms that the new operation takes part in are evaluated at
 * once. A sequence that extends a broken one is broken, too (the objects are closed under prefixes). Partners of an
 * exchanger need not be there yet. So its axioms are evaluated at the end, and of one order only, because the order
 * does not matter. Open calls are put in or left out during the search; "+c" chooses beforehand the calls that took
 * effect, one choice after another.
 *
 * Source: the baseline of Emmi et al., PLDI 2015 (ENUMERATE); Wing and Gong 1993. Exponential in everything. */
#include "theory/domain.h"

struct enumerate {
    struct domain d; /* first */
    struct budget *budget;
    bool completions;
    uint32_t *place, *found, *order, *chosen; /* of each operation; the linearization; the choice at each place */
    bool *left_out;
    uint32_t room, n; /* n: placed */
};

static bool atom_holds(const struct enumerate *x, const struct theory_atom *a, const uint32_t *v)
{
    uint32_t l = v[a->x], r = v[a->y];
    switch (a->predicate) {
    case BEFORE: return x->d.theory->interval ? domain_before(&x->d, l, r) : x->place[l] < x->place[r];
    case MATCH: return x->found[r] == l;
    default: return domain_holds(&x->d, a->predicate, l, r);
    }
}

static bool all_hold(const struct enumerate *x, const struct theory_atom *a, const uint32_t *v)
{
    for (int k = 0; k < THEORY_ATOMS && a[k].predicate; k++)
        if (!atom_holds(x, &a[k], v))
            return false;
    return true;
}

static bool within_bound(const struct enumerate *x, const struct theory_axiom *a, uint32_t op)
{
    int64_t level = 0;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->place[x->order[i]] < x->place[op]) {
            unsigned roles = domain_roles(&x->d, x->order[i]);
            level += roles & ROLE_ADD ? 1 : roles & ROLE_REMOVE ? -1 : 0;
        }
    return a->bound == BOUND_ROOM ? level < x->d.n : level >= (a->bound == BOUND_FULL ? x->d.n : 1);
}

static bool instance_holds(const struct enumerate *x, const struct theory_axiom *a, uint32_t *v)
{
    if (a->bound)
        return within_bound(x, a, v[V1]);
    if (!all_hold(x, a->given, v))
        return true;
    for (int k = 0; k < THEORY_ATOMS && a->then[k].predicate; k++)
        if (atom_holds(x, &a->then[k], v))
            return true;
    for (uint32_t i = 0; i < x->n && a->exists; i++) {
        v[W] = x->order[i];
        if ((domain_roles(&x->d, v[W]) & a->exists) && all_hold(x, a->such, v))
            return true;
    }
    return false;
}

/* All instances in which `with` takes part (ID_NONE: all). */
static bool axiom_holds(const struct enumerate *x, const struct theory_axiom *a, uint32_t with, uint32_t *v, int depth,
                        bool has)
{
    budget_tick(x->budget);
    if (depth == THEORY_VARIABLES || !a->forall[depth])
        return (!has && with != ID_NONE) || instance_holds(x, a, v);
    for (uint32_t i = 0; i < x->n; i++) {
        v[depth] = x->order[i];
        if ((domain_roles(&x->d, v[depth]) & a->forall[depth]) &&
            !axiom_holds(x, a, with, v, depth + 1, has || v[depth] == with))
            return false;
    }
    return true;
}

static bool theory_holds(const struct enumerate *x, uint32_t with)
{
    for (const struct theory_axiom *const *a = x->d.theory->axioms; *a; a++) {
        uint32_t v[THEORY_VARIABLES + 1] = {0};
        if (domain_counts(&x->d, *a) && !axiom_holds(x, *a, with, v, 0, false))
            return false;
    }
    return true;
}

/* ---- linearizations ---- */

static bool may_come_next(const struct enumerate *x, uint32_t op)
{
    if (x->place[op] != ID_NONE || x->left_out[op] || !x->d.ops.at[op].label)
        return false;
    for (uint32_t i = 0; i < x->d.ops.n; i++) {
        bool waits = x->place[i] == ID_NONE && !x->left_out[i] && i != op;
        if (waits && (x->d.theory->interval ? i < op && domain_returned(&x->d, i) : domain_before(&x->d, i, op)))
            return false;
    }
    return true;
}

/* A choice is an operation with the adder of the value that it finds, or with none. */
static bool may_choose(const struct enumerate *x, uint32_t choice)
{
    uint32_t n = x->d.ops.n, op = choice / (n + 1), found = choice % (n + 1);
    if (!(domain_roles(&x->d, op) & x->d.matched))
        return found == n;
    return found < n && domain_can_match(&x->d, found, op) && (x->d.theory->interval || x->place[found] != ID_NONE);
}

static bool complete(const struct enumerate *x)
{
    for (uint32_t i = 0; i < x->d.ops.n; i++)
        if (x->place[i] == ID_NONE && !x->left_out[i] && (domain_returned(&x->d, i) || x->completions))
            return false;
    return !x->d.theory->interval || theory_holds(x, ID_NONE);
}

static void take_back(struct enumerate *x)
{
    uint32_t op = x->order[--x->n];
    x->place[op] = x->found[op] = ID_NONE;
}

static bool put(struct enumerate *x, uint32_t choice)
{
    uint32_t n = x->d.ops.n, op = choice / (n + 1), found = choice % (n + 1);
    budget_tick(x->budget);
    if (!may_come_next(x, op) || !may_choose(x, choice))
        return false;
    x->chosen[x->n] = choice;
    x->found[op] = found == n ? ID_NONE : found;
    x->place[op] = x->n;
    x->order[x->n++] = op;
    if (x->d.theory->interval || theory_holds(x, op))
        return true;
    take_back(x);
    return false;
}

static bool find_linearization(struct enumerate *x)
{
    uint32_t choices = x->d.ops.n * (x->d.ops.n + 1);
    for (uint32_t next = 0;;) {
        if (next == 0 && complete(x))
            break;
        while (next < choices && !put(x, next))
            next++;
        if (next < choices) {
            next = 0;
            continue;
        }
        if (!x->n)
            return false;
        next = x->chosen[x->n - 1] + 1;
        take_back(x);
    }
    while (x->n)
        take_back(x);
    return true;
}

/* The next choice of open calls that took effect: counts in binary. */
static bool next_completion(struct enumerate *x)
{
    for (uint32_t i = 0; i < x->d.ops.n; i++)
        if (!domain_returned(&x->d, i) && x->d.ops.at[i].label) {
            x->left_out[i] = !x->left_out[i];
            if (!x->left_out[i])
                return true;
        }
    return false;
}

static bool admitted(struct enumerate *x)
{
    if (!x->completions)
        return find_linearization(x);
    do {
        if (find_linearization(x))
            return true;
    } while (next_completion(x));
    return false;
}

static void make_room(struct enumerate *x)
{
    x->room = 2 * x->d.ops.n;
    uint32_t **tables[] = {&x->place, &x->found, &x->order, &x->chosen};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        *tables[i] = mem_resize(x->d.mem, *tables[i], mem_product(x->room, sizeof **tables));
    x->left_out = mem_resize(x->d.mem, x->left_out, x->room);
}

/* ---- the checker ---- */

static void *open_enumerate(const struct online_setup *s)
{
    struct enumerate *x = mem_new_zero(s->mem, struct enumerate, 1);
    domain_open(&x->d, online_theory(s->spec), s);
    x->budget = s->budget;
    x->completions = s->variant != NULL;
    return x;
}

static void close_enumerate(void *state)
{
    struct enumerate *x = state;
    struct mem *m = x->d.mem;
    void *tables[] = {x->place, x->found, x->order, x->chosen, x->left_out};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        mem_free(m, tables[i]);
    domain_close(&x->d);
    mem_free(m, x);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct enumerate *x = state;
    domain_call(&x->d, slot, step, method, arity ? args[0] : (struct value){0});
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct enumerate *x = state;
    uint32_t i = domain_return(&x->d, slot, step, result);
    if (!x->d.ops.at[i].label)
        return false;
    if (x->d.ops.n > x->room)
        make_room(x);
    for (uint32_t k = 0; k < x->d.ops.n; k++) {
        x->place[k] = x->found[k] = ID_NONE;
        x->left_out[k] = !domain_returned(&x->d, k) && (x->completions || !x->d.ops.at[k].label);
    }
    return admitted(x);
}

const struct online online_enumerate = {
    .name = "enumerate",
    .title = "for some dozen events: all linearizations against the theory",
    .slow = true,
    .variants = (const char *const[]){"+c", NULL},
    .guarantee = ONLINE_EXACT,
    .prompt = true,
    .declines = online_without_theory,
    .open = open_enumerate,
    .close = close_enumerate,
    .call = call,
    .ret = ret,
    .finish = domain_finish,
    .explain = domain_explain,
    .each_value = domain_each_value,
    .live = domain_live,
};
