/* SPDX-License-Identifier: Apache-2.0 */
#include "report/key.h"

#include "history/token.h"
#include "history/value_ids.h"

#include <string.h>

static uint32_t accesses(const history *h, uint32_t op)
{
    return history_arity(h, op) / 3;
}

/* Is it one of the first `count` accesses that write this value to the key? Any value, if it is of kind ASSAY_NONE. */
static bool writes(const history *h, uint32_t op, uint32_t count, struct value key, struct value value)
{
    for (uint32_t i = 0; i < count; i++)
        if (!token_reads(h, op, i) && value_same(history_arg(h, op, 3 * i + 1), key) &&
            (value.kind == ASSAY_NONE || value_same(history_arg(h, op, 3 * i + 2), value)))
            return true;
    return false;
}

/* The last element that the transaction did not append itself; ASSAY_NONE: there is none. */
static struct value last_of_others(const history *h, uint32_t op, uint32_t i, struct value key)
{
    const struct list_value *l = h->lists.all.at[history_arg(h, op, 3 * i + 2).bits];
    while (l->before && writes(h, op, i, key, l->last))
        l = l->before;
    return l->before ? l->last : (struct value){.kind = ASSAY_NONE};
}

static bool reads_from(const history *h, uint32_t op, uint32_t i, uint32_t source)
{
    struct value key = history_arg(h, op, 3 * i + 1), value = history_arg(h, op, 3 * i + 2);
    bool list = value.kind == ASSAY_LIST;
    if (!list && writes(h, op, i, key, (struct value){.kind = ASSAY_NONE}))
        return false; /* its own value */
    struct value last = list ? last_of_others(h, op, i, key) : value;
    if (source == ASSAY_NO_OPERATION)
        return (list && last.kind == ASSAY_NONE) || value_same(value, history_initial(h, key));
    return last.kind != ASSAY_NONE && writes(h, source, accesses(h, source), key, last);
}

struct value key_that_was_read(const history *h, uint32_t reader, uint32_t source, uint32_t writer)
{
    struct value any = {.kind = ASSAY_NONE};
    for (uint32_t i = 0; i < accesses(h, reader); i++) {
        struct value key = history_arg(h, reader, 3 * i + 1);
        bool written = writer == ASSAY_NO_OPERATION || writes(h, writer, accesses(h, writer), key, any);
        if (token_reads(h, reader, i) && written && reads_from(h, reader, i, source))
            return history_written(h, reader, 3 * i + 1);
    }
    return any;
}

struct value key_of_both(const history *h, uint32_t a, uint32_t b)
{
    struct value any = {.kind = ASSAY_NONE};
    for (uint32_t i = 0; i < accesses(h, a); i++)
        if (!token_reads(h, a, i) && writes(h, b, accesses(h, b), history_arg(h, a, 3 * i + 1), any))
            return history_written(h, a, 3 * i + 1);
    return any;
}

bool key_missed(const history *h, uint32_t reader, uint32_t writer, uint32_t *access)
{
    struct value any = {.kind = ASSAY_NONE};
    for (*access = 0; *access < accesses(h, reader); ++*access) {
        struct value key = history_arg(h, reader, 3 * *access + 1);
        if (token_reads(h, reader, *access) && !writes(h, reader, *access, key, any) &&
            writes(h, writer, accesses(h, writer), key, any) && !reads_from(h, reader, *access, writer))
            return true;
    }
    return false;
}

bool key_read_twice(const history *h, uint32_t op, uint32_t *first, uint32_t *second)
{
    struct value any = {.kind = ASSAY_NONE};
    for (*second = 0; *second < accesses(h, op); ++*second)
        for (*first = 0; *first < *second; ++*first) {
            struct value key = history_arg(h, op, 3 * *first + 1), one = history_arg(h, op, 3 * *first + 2);
            struct value other = history_arg(h, op, 3 * *second + 2);
            bool list = one.kind == ASSAY_LIST && other.kind == ASSAY_LIST;
            if (!token_reads(h, op, *first) || !token_reads(h, op, *second) ||
                !value_same(key, history_arg(h, op, 3 * *second + 1)) || (!list && writes(h, op, *second, key, any)))
                continue;
            one = list ? last_of_others(h, op, *first, key) : one;
            other = list ? last_of_others(h, op, *second, key) : other;
            if (!value_same(one, other))
                return true;
        }
    return false;
}

static bool shows_in_order(const history *h, const struct list_value *l, struct value key, uint32_t before,
                           uint32_t behind)
{
    while (l->before && !writes(h, behind, accesses(h, behind), key, l->last))
        l = l->before;
    while (l->before && !writes(h, before, accesses(h, before), key, l->last))
        l = l->before;
    return l->before;
}

uint32_t key_shown_in_order(const history *h, uint32_t before, uint32_t behind, struct value *key)
{
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; !history_aborted(h, op) && i < accesses(h, op); i++) {
            struct value list = history_arg(h, op, 3 * i + 2);
            *key = history_written(h, op, 3 * i + 1);
            if (token_reads(h, op, i) && list.kind == ASSAY_LIST &&
                shows_in_order(h, h->lists.all.at[list.bits], *key, before, behind))
                return op;
        }
    return ASSAY_NO_OPERATION;
}

/* Has the list an element that the transaction writes to the key? */
static bool shows(const history *h, const struct list_value *l, struct value key, uint32_t writer)
{
    while (l->before && !writes(h, writer, accesses(h, writer), key, l->last))
        l = l->before;
    return l->before;
}

static uint32_t write_of(const history *h, uint32_t op, struct value key)
{
    for (uint32_t i = 0; i < accesses(h, op); i++)
        if (!token_reads(h, op, i) && value_same(history_arg(h, op, 3 * i + 1), key))
            return i;
    return ASSAY_NO_OPERATION;
}

uint32_t key_shown_alone(const history *h, uint32_t shown, uint32_t missing, uint32_t *access, uint32_t *write)
{
    uint32_t found = ASSAY_NO_OPERATION, longest = 0;
    for (uint32_t op = 0; missing != ASSAY_NO_OPERATION && shown != ASSAY_NO_OPERATION && op < h->n; op++)
        for (uint32_t i = 0; !history_aborted(h, op) && i < accesses(h, op); i++) {
            struct value list = history_arg(h, op, 3 * i + 2), key = history_arg(h, op, 3 * i + 1);
            if (!token_reads(h, op, i) || list.kind != ASSAY_LIST)
                continue;
            const struct list_value *l = h->lists.all.at[list.bits];
            uint32_t missed = write_of(h, missing, key);
            if (l->length <= longest || missed == ASSAY_NO_OPERATION || !shows(h, l, key, shown) ||
                shows(h, l, key, missing))
                continue;
            longest = l->length;
            found = op;
            *access = i;
            *write = missed;
        }
    return found;
}

struct value key_repeated(const history *h, uint32_t op, uint32_t access, uint32_t writer, struct mem *m)
{
    struct value found = {.kind = ASSAY_NONE};
    if (access >= accesses(h, op) || writer == ASSAY_NO_OPERATION || !token_reads(h, op, access) ||
        history_arg(h, op, 3 * access + 2).kind != ASSAY_LIST)
        return found;
    struct value key = history_arg(h, op, 3 * access + 1);
    struct value_ids seen = {0};
    const struct list_value *l = h->lists.all.at[history_arg(h, op, 3 * access + 2).bits];
    for (; l->before && found.kind == ASSAY_NONE; l = l->before) {
        uint32_t known = seen.n;
        if (value_id(m, &seen, l->last) < known && writes(h, writer, accesses(h, writer), key, l->last))
            found = l->last;
    }
    value_ids_free(m, &seen);
    return found;
}
