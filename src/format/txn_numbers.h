/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of registers in numbers, for formats that have nothing else: keys and values are whole numbers, and 0 is
 * the initial value. Histories that are so already stay as they are. In others keys are numbered from 0 and values from
 * 1, as they appear. */
#ifndef ASSAY_FORMAT_TXN_NUMBERS_H
#define ASSAY_FORMAT_TXN_NUMBERS_H

#include "format/format.h"
#include "history/value_ids.h"

struct txn_numbers {
    const history *h;
    struct mem *mem;
    bool as_they_are;
    struct value_ids keys, values;
};

struct txn_number {
    bool writes;
    int64_t key, value;
};

/* A history that is of another kind, or has transactions of unknown outcome, is a fault that names the format. */
struct txn_numbers txn_numbers(const history *h, const struct writing *w, const char *format);
uint32_t txn_numbers_keys(struct txn_numbers *s); /* how many there are */

/* How many accesses has the transaction? */
static inline uint32_t txn_count(const history *h, uint32_t op)
{
    return history_arity(h, op) / 3;
}

/* False: a read of unknown result, of an aborted transaction. */
bool txn_number(struct txn_numbers *s, uint32_t op, uint32_t i, struct txn_number *out);
bool txn_aborted(const history *h, uint32_t op);

#endif
