/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions in Jepsen's logs, as Elle has them: a row of [:r key value], [:w key value] and [:append key value]. A
 * list is read as [1 2 3]. A read of nil found the initial value: nil of a register, [] of a list. */
#ifndef ASSAY_FORMAT_ELLE_H
#define ASSAY_FORMAT_ELLE_H

#include "format/edn_form.h"
#include "format/log_calls.h"

/* Does this look like [[:r x 1] [:w y 2]]? */
bool elle_is_transaction(const struct edn *e, uint32_t value);

/* The row at `list` as r x 1 w y 2, behind the arguments. Without `known` the values that it reads are not known. */
void elle_arguments(const struct edn *e, uint32_t list, bool known, history *h, struct arguments *args);

/* The first access in which two rows of arguments differ in more than the value that is read; ID_NONE: in none. */
uint32_t elle_difference(const history *h, const struct value *a, uint32_t na, const struct value *b, uint32_t nb);
/* An access for a message, as in `w y 2`; a read without its value; NULL: there is none. */
void elle_print_access(struct text *t, const history *h, const struct value *access);

/* All transactions are known, and so are the keys that are lists: nil of such a key becomes []. */
void elle_settle_lists(struct calls *calls);

#endif
