/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts by brute force, a second time: from what each transaction sees, without sources.
 *
 * A level holds if there are an order of commits, which contains the base order, and for each transaction a set of
 * earlier ones that it sees, such that each external read returns the last value that the seen ones wrote. The level
 * says which sets are allowed. Source: Cerone, Bernardi and Gotsman, "A framework for transactional consistency models
 * with atomic visibility". For rc, which is not atomic, the sets grow from read to read. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_VIEWS_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_VIEWS_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/models.h"

#include <stdbool.h>

/* Of registers only */
void judge_views(const struct history *h, bool ok[MODELS]);

#endif
