/* SPDX-License-Identifier: Apache-2.0 */
/* Small random histories. Reads take values from a random order of commits, each transaction from a place of its own in
 * it; some reads, and then some values, differ. So all levels fail now and then, for all reasons. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_DRAW_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_DRAW_H

#include "oracle/transactions/history.h"

struct history *draw_history(void);

/* The same with few values for each register, which are written again and again, the initial one among them. Lists have
 * unique elements as before. */
struct history *draw_repeated(void);

/* n >= 3 transactions that have an order if the right one of two ways is chosen for each key */
struct history *draw_choices(int n, int keys);

/* Intervals, or knowledge of the ends of others, for a history that has none */
void draw_times(struct history *h);

/* A neighbour of the history: a few reads or outcomes changed, and of registers without unique values writes, too */
void disturb(struct history *h);

#endif
