/* SPDX-License-Identifier: Apache-2.0 */
/* CaDiCaL. Inprocessing is off: the clauses that it derives do not always follow by unit propagation from earlier
 * ones. */
#include "solver/sat.h"

#ifdef ASSAY_WITH_CADICAL

#include "solver/cadical.h"

static int stop(void *arg)
{
    return sat_stop(arg);
}

static void learned(void *arg, int *clause)
{
    size_t count = 0;
    while (clause[count])
        count++;
    sat_learned(arg, clause, count);
}

static void need(bool enough)
{
    if (!enough)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
}

static void *open_solver(struct sat *s)
{
    static const char *const off[] = {"inprocessing", "lucky", "walk", NULL};
    struct cadical *solver = cadical_open(off, s, stop, s->learned ? learned : NULL);
    need(solver != NULL);
    return solver;
}

static void add(void *solver, int literal)
{
    need(cadical_add(solver, literal));
}

static void assume(void *solver, int literal)
{
    need(cadical_assume(solver, literal));
}

static int solve(void *solver)
{
    int answer = 0;
    if (!cadical_solve(solver, &answer))
        return 0;
    return answer == 10 ? 1 : answer == 20 ? -1 : 0;
}

static bool value(void *solver, int variable)
{
    bool is_true = false;
    need(cadical_value(solver, variable, &is_true));
    return is_true;
}

static void close_solver(void *solver)
{
    cadical_close(solver);
}

#endif

static const char *missing(void)
{
#ifdef ASSAY_WITH_CADICAL
    return NULL;
#else
    return "built without cadical";
#endif
}

const struct sat_adapter sat_cadical = {
    .name = "cadical",
    .missing = missing,
#ifdef ASSAY_WITH_CADICAL
    .open = open_solver,
    .add = add,
    .assume = assume,
    .solve = solve,
    .value = value,
    .close = close_solver,
#endif
};
