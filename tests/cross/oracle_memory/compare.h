/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict of the library, with its evidence, against that of the oracle. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_COMPARE_H
#define ASSAY_TESTS_ORACLE_MEMORY_COMPARE_H

#include "cross/oracle_memory/history.h"

#include <assay.h>

#include <stdbool.h>

const char *verdict_word(bool consistent);

/* The proof of a right verdict must be accepted. The line goes to *keep, if there is room. */
void confirm(const assay_history *h, const assay_result *r, const char *text, const char *engine, char **keep);

/* Does the model need a logic program, since operations come after those of other threads? It gives no proofs. */
bool by_logic(const struct history *h, int m);

/* May the model be called not applicable? */
bool may_decline(const struct history *h, int m);

void compare(const struct history *h, const assay_history *a, const char *text, int m, bool expected,
             const char *engine, const assay_options *o, char **keep);

#endif
