/* SPDX-License-Identifier: Apache-2.0 */
/* CaDiCaL behind functions that do not throw. It is C++: for want of memory it throws, and an exception that reaches C
 * ends the program. So its caller is C++, too (cadical.cpp), and stops each exception at the border. */
#ifndef ASSAY_SOLVER_CADICAL_H
#define ASSAY_SOLVER_CADICAL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cadical;

/* NULL: there is no memory for it. off: options, up to NULL; learned may be NULL. */
struct cadical *cadical_open(const char *const *off, void *state, int (*stop)(void *state),
                             void (*learned)(void *state, int *clause));

/* False: there is no memory for it. The solver can only be closed then. */
bool cadical_add(struct cadical *s, int literal);
bool cadical_assume(struct cadical *s, int literal);
bool cadical_solve(struct cadical *s, int *answer);               /* 10: satisfiable, 20: not, 0: stopped */
bool cadical_value(struct cadical *s, int variable, bool *value); /* the first one asked for completes the model */
void cadical_close(struct cadical *s);

#ifdef __cplusplus
}
#endif

#endif
