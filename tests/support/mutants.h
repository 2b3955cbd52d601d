/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of a line of evidence: numbers and names replaced, items of lists and objects dropped,
 * doubled and swapped, bytes changed and cut. */
#ifndef ASSAY_TESTS_SUPPORT_MUTANTS_H
#define ASSAY_TESTS_SUPPORT_MUTANTS_H

#include "base/rng.h"

enum { MUTANTS_LONGEST = 4096 }; /* line that is mutated: their number grows with its square */

/* Calls `each` for every mutant; none is the line itself. */
void mutants_of(const char *line, struct rng *rng, void (*each)(void *arg, const char *mutant), void *arg);

#endif
