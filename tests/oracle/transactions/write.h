/* SPDX-License-Identifier: Apache-2.0 */
/* A history as text, in each of the formats that can say it. The lines of sessions are interleaved at random. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_WRITE_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_WRITE_H

#include "oracle/transactions/history.h"
#include "oracle/transactions/spelling.h"
#include "support/say.h"

#include <assay.h>

/* All return text to be freed, or NULL if the format cannot say it. order[i], if not NULL, is the transaction that
 * becomes operation i. */
char *write_lines(const struct history *h, const struct spelling *s, int *order);
char *write_blocks(const struct history *h, const struct spelling *s);
char *write_jsonl(const struct history *h, const struct spelling *s);

char *write_plume(const struct history *h);
char *write_dbcop(const struct history *h);

/* By calls of the library, in the order of the history; NULL if calls cannot say it */
assay_history *build_history(const struct history *h, const struct spelling *s, assay_error *e);

#endif
