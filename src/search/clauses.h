/* SPDX-License-Identifier: Apache-2.0 */
/* Is there an assignment that satisfies all clauses? A small solver with clause learning, for questions about the
 * order of operations that no scan answers (deque_order.c). Its users need no SAT solver; solver/sat.h has the large
 * ones. No evidence comes from it: refutations of its users are cuts of the history.
 *
 * Variables are 0, 1, ...; the literal 2 v is v, and 2 v + 1 is its negation. */
#ifndef ASSAY_SEARCH_CLAUSES_H
#define ASSAY_SEARCH_CLAUSES_H

#include "base/budget.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct clauses;

/* Memory from m, which the owner releases. The clauses are solved once, after all have been added. All functions may
 * escape. */
struct clauses *clauses_new(struct mem *m, struct budget *b, uint32_t variables);
void clauses_add(struct clauses *c, const uint32_t *literals, uint32_t n);
void clauses_prefer(struct clauses *c, uint32_t literal); /* tried first when its variable is chosen */
bool clauses_solve(struct clauses *c);
bool clauses_value(const struct clauses *c, uint32_t variable); /* after clauses_solve has found an assignment */
void clauses_free(struct clauses *c);

static inline uint32_t clauses_not(uint32_t literal)
{
    return literal ^ 1;
}

#endif
