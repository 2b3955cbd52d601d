/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `symbolic`. A SAT solver is asked at each return. Do all axioms of the object's theory hold for
 * some order, some matching and some choice of open calls?
 *
 * Encoding. There is a variable for each pair of operations: which comes first? There is one for each adder and finder
 * that can be matched, and one for each open call: is it used? Clauses: happens-before; transitivity; a finder is
 * matched once; and all instances of the axioms. "For all" is guarded by not used. "There is" is a disjunction of new
 * variables that imply used and all conditions on W. Bounds are counted in unary (Sinz 2005).
 *
 * Variations. "+c" tries one choice of the used open calls after another, as assumptions. "+i" keeps the solver. An
 * instance of operations that have all returned is final, since an operation called later comes after them and cannot
 * be a W. Instances with open calls hold only as long as a literal is assumed that is given up afterwards. "+r" forgets
 * operations (domain.h), and their consequences.
 *
 * Source: Emmi et al., PLDI 2015, section 4 (SYMBOLIC). */
#include "solver/sat.h"
#include "theory/domain.h"

#include <string.h>

enum { YES = 1, NO = -1 }; /* variable 1 is true */

struct column { /* variables of an operation and those before it in the domain */
    int *before, *found_by,
        *finds; /* the earlier before this one; this one found by the earlier; it finds the earlier */
    int used;
};

struct symbolic {
    struct domain d; /* first */
    struct budget *budget;
    bool completions, incremental, removal;
    struct sat sat;
    bool is_open;
    int last; /* variable */
    VEC(struct column) columns;
    VEC(int) clause;
    VEC(int) cards;    /* literals to be counted */
    int guard;         /* of clauses that hold for now only; 0: for good */
    uint32_t returned; /* the operation that has just returned; ID_NONE: everything is new */
};

/* ---- variables ---- */

static int new_variable(struct symbolic *x)
{
    return ++x->last;
}

static int before(const struct symbolic *x, uint32_t a, uint32_t b)
{
    if (a == b || domain_before(&x->d, b, a))
        return NO;
    if (domain_before(&x->d, a, b))
        return YES;
    if (x->d.theory->interval)
        return NO;
    return a < b ? x->columns.at[b].before[a] : -x->columns.at[a].before[b];
}

static int match_variable(const struct symbolic *x, uint32_t adder, uint32_t finder)
{
    return adder < finder ? x->columns.at[finder].finds[adder] : x->columns.at[adder].found_by[finder];
}

static int match(const struct symbolic *x, uint32_t adder, uint32_t finder)
{
    return domain_can_match(&x->d, adder, finder) ? match_variable(x, adder, finder) : NO;
}

static int used(const struct symbolic *x, uint32_t i)
{
    return domain_returned(&x->d, i) ? YES : x->columns.at[i].used;
}

static int literal_of(const struct symbolic *x, const struct theory_atom *a, const uint32_t *v)
{
    switch (a->predicate) {
    case BEFORE: return before(x, v[a->x], v[a->y]);
    case MATCH: return match(x, v[a->x], v[a->y]);
    default: return domain_holds(&x->d, a->predicate, v[a->x], v[a->y]) ? YES : NO;
    }
}

/* ---- clauses ---- */

static void begin(struct symbolic *x)
{
    budget_tick(x->budget); /* most clauses may be true from the start, and never reach the solver */
    vec_clear(&x->clause);
}

static void either(struct symbolic *x, int literal)
{
    vec_push(x->d.mem, &x->clause, literal);
}

static void end(struct symbolic *x)
{
    uint32_t n = 0;
    if (x->guard)
        either(x, -x->guard);
    for (uint32_t i = 0; i < x->clause.n; i++) {
        if (x->clause.at[i] == YES)
            return;
        if (x->clause.at[i] != NO)
            x->clause.at[n++] = x->clause.at[i];
    }
    sat_clause(&x->sat, x->clause.at, n);
}

static void clause(struct symbolic *x, int a, int b, int c)
{
    begin(x);
    either(x, a);
    either(x, b);
    either(x, c);
    end(x);
}

/* ---- bounds ---- */

/* At most k of the literals in cards, or `unless`. */
static void at_most(struct symbolic *x, int64_t k, int unless)
{
    int64_t n = x->cards.n;
    if (k >= n)
        return;
    if (k < 0) {
        clause(x, unless, NO, NO);
        return;
    }
    int *sums = k ? mem_new(x->d.mem, int, (size_t)(n * k))
                  : NULL; /* sums[i * k + j]: more than j of the first i + 1 */
    for (int64_t i = 0; i < n; i++) {
        int l = x->cards.at[i];
        for (int64_t j = 0; j < k; j++) {
            int s = sums[i * k + j] = new_variable(x);
            if (i)
                clause(x, -sums[(i - 1) * k + j], s, NO);
            if (!j)
                clause(x, -l, s, NO);
            else if (i)
                clause(x, -l, -sums[(i - 1) * k + j - 1], s);
        }
        if (!k)
            clause(x, -l, unless, NO);
        else if (i)
            clause(x, -l, -sums[(i - 1) * k + k - 1], unless);
    }
    mem_free(x->d.mem, sums);
}

/* A literal for: y is used and comes before v. */
static int counts(struct symbolic *x, uint32_t y, uint32_t v)
{
    int b = before(x, y, v), u = used(x, y);
    if (u == YES || b == NO)
        return b;
    int both = new_variable(x);
    clause(x, -both, b, NO);
    clause(x, -both, u, NO);
    clause(x, both, -b, -u);
    return both;
}

static void ground_bound(struct symbolic *x, const struct theory_axiom *a, uint32_t v)
{
    bool most = a->bound == BOUND_ROOM; /* adders less removers at most n - 1; or: removers less adders at most -need */
    int64_t k = most ? x->d.n - 1 : -(a->bound == BOUND_FULL ? x->d.n : 1);
    vec_clear(&x->cards);
    for (uint32_t y = 0; y < x->d.ops.n; y++) {
        unsigned roles = y == v ? 0 : domain_roles(&x->d, y);
        if (!(roles & (ROLE_ADD | ROLE_REMOVE)))
            continue;
        int l = counts(x, y, v);
        bool plus = most == !!(roles & ROLE_ADD);
        vec_push(x->d.mem, &x->cards, plus ? l : -l);
        k += !plus;
    }
    at_most(x, k, -used(x, v));
}

/* ---- axioms ---- */

static void ground_witnesses(struct symbolic *x, const struct theory_axiom *a, uint32_t *v)
{
    for (uint32_t y = 0; y < x->d.ops.n && a->exists; y++) {
        v[W] = y;
        if (!(domain_roles(&x->d, y) & a->exists))
            continue;
        int all[THEORY_ATOMS + 1] = {used(x, y)}, n = 1;
        for (int k = 0; k < THEORY_ATOMS && a->such[k].predicate; k++)
            all[n++] = literal_of(x, &a->such[k], v);
        bool can = true;
        for (int k = 0; k < n; k++)
            can &= all[k] != NO;
        if (!can)
            continue;
        int witness = new_variable(x);
        for (int k = 0; k < n; k++)
            if (all[k] != YES)
                sat_clause(&x->sat, (int[]){-witness, all[k]}, 2);
        either(x, witness);
    }
}

static void ground_instance(struct symbolic *x, const struct theory_axiom *a, uint32_t *v)
{
    if (a->bound) {
        ground_bound(x, a, v[V1]);
        return;
    }
    begin(x);
    for (int k = 0; k < THEORY_VARIABLES && a->forall[k]; k++)
        either(x, -used(x, v[k]));
    for (int k = 0; k < THEORY_ATOMS; k++) {
        if (a->given[k].predicate)
            either(x, -literal_of(x, &a->given[k], v));
        if (a->then[k].predicate)
            either(x, literal_of(x, &a->then[k], v));
    }
    ground_witnesses(x, a, v);
    end(x);
}

/* Instances with open calls are for now; of the others those are new in which the operation takes part that just
 * returned. */
static void ground(struct symbolic *x, const struct theory_axiom *a, uint32_t *v, int depth, bool open, bool fresh)
{
    if (depth == THEORY_VARIABLES || !a->forall[depth]) {
        if (open == (x->guard != 0) && (open || fresh))
            ground_instance(x, a, v);
        return;
    }
    for (uint32_t i = 0; i < x->d.ops.n; i++) {
        budget_tick(x->budget);
        v[depth] = i;
        if (!(domain_roles(&x->d, i) & a->forall[depth]))
            continue;
        bool dead = false;
        for (int k = 0; k < THEORY_ATOMS && a->given[k].predicate && !dead; k++)
            if ((int)(a->given[k].x > a->given[k].y ? a->given[k].x : a->given[k].y) == depth)
                dead = literal_of(x, &a->given[k], v) == NO;
        if (!dead)
            ground(x, a, v, depth + 1, open || !domain_returned(&x->d, i),
                   fresh || x->returned == ID_NONE || i == x->returned);
    }
}

static void ground_axioms(struct symbolic *x)
{
    for (const struct theory_axiom *const *a = x->d.theory->axioms; *a; a++) {
        uint32_t v[THEORY_VARIABLES + 1] = {0};
        if (domain_counts(&x->d, *a))
            ground(x, *a, v, 0, false, false);
    }
}

/* ---- operations ---- */

static void add_order(struct symbolic *x, uint32_t c)
{
    for (uint32_t a = 0; a < c && !x->d.theory->interval; a++)
        for (uint32_t b = 0; b < a; b++) {
            clause(x, -before(x, a, b), -before(x, b, c), -before(x, c, a));
            clause(x, -before(x, b, a), -before(x, a, c), -before(x, c, b));
        }
}

/* No two adders for one finder, of which one or the finder is new. If the solver is kept, a call that cannot be matched
 * now may turn out to be a finder when it returns. */
static void add_functional(struct symbolic *x, uint32_t c)
{
    int (*of)(const struct symbolic *, uint32_t, uint32_t) = x->incremental ? match_variable : match;
    for (uint32_t a = 0; a < c; a++)
        for (uint32_t b = 0; b < c; b++) {
            if (b < a)
                clause(x, -of(x, a, c), -of(x, b, c), NO);
            if (b != a)
                clause(x, -of(x, a, b), -of(x, c, b), NO);
        }
}

static void add_operation(struct symbolic *x, uint32_t c)
{
    struct column column = {.used = new_variable(x)};
    int **tables[] = {&column.before, &column.found_by, &column.finds};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        *tables[t] = mem_new(x->d.mem, int, c + 1);
        for (uint32_t i = 0; i < c; i++)
            (*tables[t])[i] = new_variable(x);
    }
    vec_push(x->d.mem, &x->columns, column);
    add_order(x, c);
    add_functional(x, c);
}

/* An open call returned: its open literals are fixed. Real time is part of later clauses; earlier clauses must learn
 * it. */
static void fix_operation(struct symbolic *x, uint32_t i, const struct domain_op *was)
{
    bool as_expected = was->label && x->d.ops.at[i].label && !(was->label->roles & ~x->d.ops.at[i].label->roles);
    sat_clause(&x->sat, (int[]){as_expected ? x->columns.at[i].used : -x->columns.at[i].used}, 1);
    for (uint32_t a = 0; a < x->d.ops.n; a++) {
        if (a != i && !domain_can_match(&x->d, a, i))
            sat_clause(&x->sat, (int[]){-match_variable(x, a, i)}, 1);
        if (a != i && domain_returned(&x->d, a) && !domain_can_match(&x->d, i, a))
            sat_clause(&x->sat, (int[]){-match_variable(x, i, a)}, 1);
    }
}

static void close_solver(struct symbolic *x)
{
    if (!x->is_open)
        return;
    sat_close(&x->sat);
    x->is_open = false;
    for (uint32_t i = 0; i < x->columns.n; i++) {
        mem_free(x->d.mem, x->columns.at[i].before);
        mem_free(x->d.mem, x->columns.at[i].found_by);
        mem_free(x->d.mem, x->columns.at[i].finds);
    }
    vec_clear(&x->columns);
}

static void open_solver(struct symbolic *x)
{
    x->sat = (struct sat){.adapter = sat_find(NULL), .budget = x->budget};
    sat_open(&x->sat);
    x->is_open = true;
    x->last = YES;
    sat_clause(&x->sat, (int[]){YES}, 1);
    x->returned = ID_NONE;
    for (uint32_t i = 0; i < x->d.ops.n; i++)
        add_operation(x, i);
}

/* ---- questions ---- */

static bool solve_with(struct symbolic *x, const bool *choice)
{
    budget_look(x->budget); /* a solver that needs no search never asks */
    if (x->guard)
        sat_assume(&x->sat, x->guard);
    for (uint32_t i = 0; choice && i < x->d.ops.n; i++)
        if (!domain_returned(&x->d, i))
            sat_assume(&x->sat, choice[i] ? x->columns.at[i].used : -x->columns.at[i].used);
    return sat_solve(&x->sat);
}

static bool solve(struct symbolic *x)
{
    if (!x->completions)
        return solve_with(x, NULL);
    bool *choice = mem_new_zero(x->d.mem, bool, x->d.ops.n), more = true, found = false;
    while (more && !(found = solve_with(x, choice))) {
        more = false;
        for (uint32_t i = 0; i < x->d.ops.n && !more; i++)
            if (!domain_returned(&x->d, i) && x->d.ops.at[i].label)
                more = choice[i] = !choice[i];
    }
    mem_free(x->d.mem, choice);
    return found;
}

static bool admitted(struct symbolic *x)
{
    if (!x->is_open)
        open_solver(x);
    ground_axioms(x);
    if (x->d.open_n) {
        x->guard = new_variable(x);
        ground_axioms(x);
    }
    bool found = solve(x);
    if (x->guard)
        sat_clause(&x->sat, (int[]){-x->guard}, 1);
    x->guard = 0;
    if (!x->incremental)
        close_solver(x);
    return found;
}

/* ---- the checker ---- */

static bool has(const char *variant, const char *part)
{
    return variant && strstr(variant, part);
}

static void *open_symbolic(const struct online_setup *s)
{
    struct symbolic *x = mem_new_zero(s->mem, struct symbolic, 1);
    domain_open(&x->d, online_theory(s->spec), s);
    x->budget = s->budget;
    x->completions = has(s->variant, "+c");
    x->incremental = has(s->variant, "+i");
    x->removal = has(s->variant, "+r");
    return x;
}

static void close_symbolic(void *state)
{
    struct symbolic *x = state;
    struct mem *m = x->d.mem;
    close_solver(x);
    vec_free(m, &x->columns);
    vec_free(m, &x->clause);
    vec_free(m, &x->cards);
    domain_close(&x->d);
    mem_free(m, x);
}

static void abandon_symbolic(void *state)
{
    sat_close(&((struct symbolic *)state)->sat);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct symbolic *x = state;
    uint32_t i = domain_call(&x->d, slot, step, method, arity ? args[0] : (struct value){0});
    if (x->is_open)
        add_operation(x, i);
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct symbolic *x = state;
    struct domain_op was = x->d.ops.at[x->d.slots.at[slot]];
    bool tagged = x->d.tagged;
    x->returned = domain_return(&x->d, slot, step, result);
    if (tagged != x->d.tagged)
        close_solver(x); /* instances of the axioms about tags are missing */
    if (!x->d.ops.at[x->returned].label)
        return false;
    if (x->is_open)
        fix_operation(x, x->returned, &was);
    if (!admitted(x))
        return false;
    if (x->removal && domain_forget(&x->d))
        close_solver(x);
    return true;
}

static const char *weakened(const void *state)
{
    return ((const struct symbolic *)state)->removal ? "it forgets matches" : NULL;
}

const struct online online_symbolic = {
    .name = "symbolic",
    .title = "for some hundred events: a SAT solver asked about the theory",
    .slow = true,
    .variants = (const char *const[]){"+c", "+i", "+r", "+c+i", "+c+r", "+i+r", "+c+i+r", NULL},
    .guarantee = ONLINE_EXACT,
    .prompt = true,
    .missing = sat_missing,
    .declines = online_without_theory,
    .open = open_symbolic,
    .close = close_symbolic,
    .abandon = abandon_symbolic,
    .call = call,
    .ret = ret,
    .finish = domain_finish,
    .explain = domain_explain,
    .each_value = domain_each_value,
    .live = domain_live,
    .weakened = weakened,
};
