/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas as histories. A random formula of clauses with three literals becomes a history, which satisfies sc, tso or
 * pso iff the formula has a solution. So checkers can be measured with histories that are hard by design.
 *
 * Idea. A Boolean variable is a variable x with two writes, and it is true if 1 is stored before 2. If a is stored
 * before b, all reads of a come before all reads of b. So threads `read x = b; read y = d` and `read y = c; read x = a`
 * form a cycle iff a is before b and d before c. That is an implication. A literal of a clause has a variable y of its
 * own. Such a pair of threads says: if the literal is false, then c is stored before d. Three threads tie the clause:
 * each reads d of one literal, then c of the next. They form a cycle iff c is before d in all three.
 *
 * No other cycles. Let the literals that are true have d before c. Paths lead from the x to the y only: the reads that
 * could lead back read the value that is stored last. So the cycles are those of single implications and clauses.
 *
 * Every thread has one write, or two reads, which store buffers do not reorder. A clause makes 24 operations of 15
 * threads, a variable 2 operations of 2 threads.
 *
 * Source: that checking sc is hard is shown with a similar reduction by Gibbons and Korach (1997). */
#include "collect/access.h"

enum { VARIABLES, CLAUSES, SATISFIABLE, SHUFFLE };

static const struct collect_parameter parameters[] = {
    [VARIABLES] = {.name = "variables",
                   .value = "N",
                   .help = "variables per formula (default: 10)",
                   .fallback = 10,
                   .least = 3,
                   .most = 1 << 16},
    [CLAUSES] =
        {.name = "clauses",
         .value = "M",
         .help = "clauses per formula; with more than 4.3 per variable most formulas have no solution (default: 60)",
         .fallback = 60,
         .least = 1,
         .most = 1 << 20},
    [SATISFIABLE] = {.name = "satisfiable",
                     .value = "G",
                     .help = "add G formulas that have a solution (default: 0)",
                     .most = 1 << 16},
    [SHUFFLE] = ACCESS_SHUFFLE,
    {0},
};

struct formulas {
    struct accesses out;
    struct mem *mem;
    struct rng rng;
    uint32_t threads, variables;
};

struct literal {
    uint32_t variable;
    bool negated;
};

static void add(struct formulas *f, enum access_kind kind, uint32_t variable, uint32_t value)
{
    struct access a = {.thread = f->threads, .variable = variable, .value = value, .kind = kind};
    vec_push(f->mem, &f->out.all, a);
}

/* A variable with two writes, of 1 and 2, in threads of their own. */
static uint32_t add_variable(struct formulas *f)
{
    for (uint32_t value = 1; value <= 2; value++) {
        add(f, ACCESS_WRITE, f->variables, value);
        f->threads++;
    }
    return f->variables++;
}

/* A thread that reads x and then y. */
static void add_reads(struct formulas *f, uint32_t x, uint32_t from_x, uint32_t y, uint32_t from_y)
{
    add(f, ACCESS_READ, x, from_x);
    add(f, ACCESS_READ, y, from_y);
    f->threads++;
}

enum { C = 1, D = 2 }; /* the values of a literal's own variable; it may be true if D is stored first */

static uint32_t add_literal(struct formulas *f, uint32_t first, struct literal l)
{
    uint32_t x = first + l.variable, y = add_variable(f), a = l.negated ? 1 : 2, b = 3 - a; /* false: a before b */
    add_reads(f, x, b, y, D);
    add_reads(f, y, C, x, a);
    return y;
}

static void add_clause(struct formulas *f, uint32_t first, const struct literal *literals)
{
    uint32_t own[3];
    for (int i = 0; i < 3; i++)
        own[i] = add_literal(f, first, literals[i]);
    for (int i = 0; i < 3; i++)
        add_reads(f, own[i], D, own[(i + 1) % 3], C);
}

/* Three different variables. */
static void random_clause(struct formulas *f, uint32_t variables, struct literal *literals)
{
    for (int i = 0; i < 3; i++) {
        bool taken;
        do {
            literals[i] = (struct literal){rng_below(&f->rng, variables), rng_below(&f->rng, 2)};
            taken = (i > 0 && literals[i].variable == literals[0].variable) ||
                    (i > 1 && literals[i].variable == literals[1].variable);
        } while (taken);
    }
}

/* solution: of a variable; NULL: any clause will do. */
static bool satisfies(const bool *solution, const struct literal *literals)
{
    bool satisfied = !solution;
    for (int i = 0; i < 3 && !satisfied; i++)
        satisfied = solution[literals[i].variable] != literals[i].negated;
    return satisfied;
}

static void add_formula(struct formulas *f, uint32_t variables, uint32_t clauses, bool satisfiable)
{
    uint32_t first = f->variables;
    bool *solution = satisfiable ? mem_new(f->mem, bool, variables) : NULL;
    for (uint32_t i = 0; i < variables; i++) {
        add_variable(f);
        if (solution)
            solution[i] = rng_below(&f->rng, 2);
    }
    for (uint32_t i = 0; i < clauses; i++) {
        struct literal literals[3];
        do
            random_clause(f, variables, literals);
        while (!satisfies(solution, literals));
        add_clause(f, first, literals);
    }
    mem_free(f->mem, solution);
}

static void run(const struct collecting *c)
{
    struct formulas f = {.mem = c->mem, .rng = {c->seed}};
    for (uint64_t i = 0; i <= c->values[SATISFIABLE]; i++)
        add_formula(&f, (uint32_t)c->values[VARIABLES], (uint32_t)c->values[CLAUSES], i < c->values[SATISFIABLE]);
    if (c->values[SHUFFLE])
        access_shuffle(&f.out, f.threads, &f.rng, f.mem);
    access_emit(&f.out, f.threads, f.variables, 0, c);
}

const struct collector collector_formula = {
    .name = "formula",
    .title = "random formulas, as histories of a memory",
    .details = "sc, tso and pso hold iff all formulas have a solution",
    .object = "memory",
    .parameters = parameters,
    .run = run,
};
