/* SPDX-License-Identifier: Apache-2.0 */
/* Forged evidence about transactions: the names of rules, models and patterns of this family replaced, and several
 * numbers and names at once. support/mutants.h has the single changes that all evidence shares. */
#ifndef ASSAY_TESTS_TRANSACTIONS_FORGE_H
#define ASSAY_TESTS_TRANSACTIONS_FORGE_H

#include "base/rng.h"

#include <stddef.h>

void forge(const char *line, struct rng *rng, void (*each)(void *arg, const char *forged), void *arg);

/* The line with the i-th name of cycles for a pattern; NULL: past the last one, or the line has no cycle. */
char *forge_name(const char *line, size_t i);

#endif
