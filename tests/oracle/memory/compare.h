/* SPDX-License-Identifier: Apache-2.0 */
/* The questions that the oracle of memories asks. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_COMPARE_H
#define ASSAY_TESTS_ORACLE_MEMORY_COMPARE_H

#include "oracle/compare.h"
#include "oracle/memory/history.h"

#include <assay.h>

#include <stdbool.h>

/* Does the model need a logic program, since operations come after those of other threads? It gives no proofs. */
bool by_logic(const struct history *h, int m);

/* May the model be called not applicable? */
bool may_decline(const struct history *h, int m);

/* The proof goes to *keep, if there is room. */
void compare(const struct history *h, const assay_history *a, const char *text, int m, bool expected,
             const assay_options *o, char **keep);

#endif
