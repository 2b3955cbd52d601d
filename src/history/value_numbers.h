/* SPDX-License-Identifier: Apache-2.0 */
/* Values numbered 0, 1, 2, ... by first appearance, as by value_ids. Integers that lie close together, the common case,
 * are numbered by a plain table. */
#ifndef ASSAY_HISTORY_VALUE_NUMBERS_H
#define ASSAY_HISTORY_VALUE_NUMBERS_H

#include "history/value_ids.h"

struct value_numbers {
    uint32_t n;
    int64_t low, high; /* of the integers expected; low > high: none */
    uint32_t *table;   /* from low on; or NULL */
    struct value_ids ids;
};

static inline struct value_numbers value_numbers_new(void)
{
    return (struct value_numbers){.low = INT64_MAX, .high = INT64_MIN};
}

/* First every value is announced that may be asked for often, ... */
static inline void value_numbers_expect(struct value_numbers *x, struct value v)
{
    if (v.kind != ASSAY_INT)
        return;
    x->low = v.bits < x->low ? v.bits : x->low;
    x->high = v.bits > x->high ? v.bits : x->high;
}

/* ... then a table is made if one of `most` entries is enough, ... */
static inline void value_numbers_begin(struct value_numbers *x, struct mem *m, uint64_t most)
{
    uint64_t range = (uint64_t)x->high - (uint64_t)x->low;
    if (x->low > x->high || range >= most)
        return;
    x->table = mem_new_ids(m, range + 1);
}

static inline bool value_numbers_in_table(const struct value_numbers *x, struct value v)
{
    return x->table && v.kind == ASSAY_INT && v.bits >= x->low && v.bits <= x->high;
}

/* ... and then numbers are given. Not expected integers are fine, only slower. */
static inline uint32_t value_number(struct mem *m, struct value_numbers *x, struct value v)
{
    uint32_t *number = value_numbers_in_table(x, v) ? &x->table[(uint64_t)v.bits - (uint64_t)x->low]
                                                    : idmap_at(m, &x->ids.of_kind[v.kind], (uint64_t)v.bits);
    if (*number == ID_NONE)
        *number = x->n++;
    return *number;
}

/* The number of v, or ID_NONE. */
static inline uint32_t value_number_find(const struct value_numbers *x, struct value v)
{
    return value_numbers_in_table(x, v) ? x->table[(uint64_t)v.bits - (uint64_t)x->low] : value_id_find(&x->ids, v);
}

static inline void value_numbers_free(struct mem *m, struct value_numbers *x)
{
    mem_free(m, x->table);
    value_ids_free(m, &x->ids);
}

#endif
