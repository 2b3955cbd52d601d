/* SPDX-License-Identifier: Apache-2.0 */
/* The questions that the oracle of transactions asks. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_COMPARE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_COMPARE_H

#include "oracle/compare.h"
#include "oracle/transactions/models.h"

#include <assay.h>

#include <stdbool.h>

enum expectation compare(const assay_history *a, const char *text, int model, enum expectation expected,
                         const assay_options *options, char **keep);

/* All models of one history; strict ones if it has real time */
void compare_all(const assay_history *a, const char *text, const bool ok[MODELS], bool strict, char *keep[MODELS]);

/* The same of every engine that decides transactions */
void ask_engines(const assay_history *a, const char *text, const bool ok[MODELS], bool strict);

#endif
