/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in short. Sessions are separated by |, transactions by ;. An access is a letter (r, w; of lists l, a), the
 * letter of its key and its value; a list that is read has its elements separated by commas. `!` in front of a
 * transaction: aborted; `?`: its outcome is unknown; `@1-2` behind it: its interval. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_NOTATION_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_NOTATION_H

#include "oracle/transactions/history.h"

struct history *read_notation(const char *text);

/* Adds the transactions of `other`, on keys, values and sessions of its own; or in the sessions of h. */
void add_history(struct history *h, const struct history *other, int first_session);

/* Small histories that separate the levels */
enum { GADGETS = 25 };
extern const char *const gadgets[GADGETS];

#endif
