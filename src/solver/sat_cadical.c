/* SPDX-License-Identifier: Apache-2.0 */
/* CaDiCaL, through its C interface. Inprocessing is off: what it derives is not always a
 * consequence by unit propagation of what was handed out before. */
#include "solver/sat.h"

#ifdef ASSAY_WITH_CADICAL

#include <ccadical.h>
#include <limits.h>

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

static void *open_solver(struct sat *s)
{
    static const char *const off[] = {"inprocessing", "lucky", "walk"};
    CCaDiCaL *c = ccadical_init();
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        ccadical_set_option(c, off[i], 0);
    ccadical_set_option(c, "quiet", 1);
    ccadical_set_terminate(c, s, stop);
    if (s->learned)
        ccadical_set_learn(c, s, INT_MAX, learned);
    return c;
}

static void add(void *solver, int literal)
{
    ccadical_add(solver, literal);
}

static void assume(void *solver, int literal)
{
    ccadical_assume(solver, literal);
}

static int solve(void *solver)
{
    int answer = ccadical_solve(solver);
    return answer == 10 ? 1 : answer == 20 ? -1 : 0;
}

static bool value(void *solver, int variable)
{
    return ccadical_val(solver, variable) > 0;
}

static void close_solver(void *solver)
{
    ccadical_release(solver);
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
