/* SPDX-License-Identifier: Apache-2.0 */
/* SAT solvers: one small interface, an adapter per solver (sat_*.c), listed in sat.def.
 *
 * Variables are 1, 2, ...; a literal is a variable or its negation, as in DIMACS. Solving is incremental: clauses may
 * be added between calls. Where they have the choice, solvers try "true" first. So a caller that knows a likely
 * solution names its variables accordingly.
 *
 * Every clause that the solver learned is handed out, in order, through `learned`. Each follows from the added clauses
 * and the earlier learned ones by unit propagation (RUP). For an unsatisfiable set the last one is empty. Adapters
 * switch off all features that would break this.
 *
 * Solvers are foreign code: an escape must not pass through them. Callbacks note it and stop the solver, and sat_solve
 * raises it afterwards. When a solver finds no memory, its adapter contains that and escapes. The memory of a solver is
 * its own and does not count for the budget. The caller closes a solver on every way out (escape_run in the engine). */
#ifndef ASSAY_SOLVER_SAT_H
#define ASSAY_SOLVER_SAT_H

#include "base/budget.h"
#include "base/escape.h"

#include <stdbool.h>
#include <stddef.h>

struct sat;

struct sat_adapter {
    const char *name;
    const char *(*missing)(void);              /* why it cannot be used here, or NULL */
    void *(*open)(struct sat *s);              /* may escape */
    void (*add)(void *solver, int literal);    /* 0 ends a clause */
    void (*assume)(void *solver, int literal); /* for the next solve only */
    int (*solve)(void *solver);                /* 1: satisfiable, -1: not, 0: stopped */
    bool (*value)(void *solver, int variable); /* may escape, as add and assume may */
    void (*close)(void *solver);
};

struct sat {
    const struct sat_adapter *adapter;
    void *solver;
    struct budget *budget;
    /* A clause was learned; may escape. */
    void (*learned)(void *arg, const int *literals, size_t count);
    void *arg;
    enum escape left; /* raised by sat_solve once the solver has returned */
    bool refuted;     /* the clause learned last is empty */
    int most;         /* the largest variable that a clause has named */
};

extern const struct sat_adapter *const sat_table[]; /* up to NULL; the first that is there is the default */

/* The adapter of that name, or for NULL the default; it may be missing. NULL: unknown. */
const struct sat_adapter *sat_find(const char *name);
const char *sat_missing(void); /* why no solver can be used here, or NULL */

/* Fills in solver; adapter, budget, learned and arg are the caller's. */
void sat_open(struct sat *s);
void sat_close(struct sat *s); /* a solver that is not open is fine */
void sat_clause(struct sat *s, const int *literals, size_t count);
void sat_assume(struct sat *s,
                int literal);  /* it holds during the next sat_solve; not for callers that use learned clauses */
bool sat_solve(struct sat *s); /* satisfiable? Escapes when a budget is used up. */
static inline bool sat_value(struct sat *s, int variable)
{
    return variable > s->most || s->adapter->value(s->solver, variable);
}

/* For adapters: hand out a learned clause; must the solver stop now? */
void sat_learned(struct sat *s, const int *literals, size_t count);
bool sat_stop(struct sat *s);

#endif
