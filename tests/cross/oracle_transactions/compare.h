/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of the library, with their evidence, against those that are known. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_COMPARE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_COMPARE_H

#include "cross/oracle_transactions/models.h"

#include <assay.h>

#include <stdbool.h>

enum expectation { FAILS, HOLDS, UNSURE };

/* Checks one model, and rechecks its proof. Returns the verdict as an expectation (UNSURE: none). The line of evidence
 * goes to *keep, if that is not NULL. */
enum expectation compare(const assay_history *a, const char *text, int model, enum expectation expected,
                         const assay_options *options, char **keep);

/* All models of one history; strict ones if it has real time */
void compare_all(const assay_history *a, const char *text, const bool ok[MODELS], bool strict, char *keep[MODELS]);

#endif
