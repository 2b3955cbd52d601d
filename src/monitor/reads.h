/* SPDX-License-Identifier: Apache-2.0 */
/* The reads of a window of transactions: which transactions count, and which reads have no write here.
 *
 * An unknown transaction counts if one that counts reads from it. A read is unresolved if the window has no write of
 * its value, and the value is not the initial one. The write has not arrived yet, or never will, or it was overwritten
 * and forgotten. While that is open, such a read says nothing: it is made one of unknown result. */
#ifndef ASSAY_MONITOR_READS_H
#define ASSAY_MONITOR_READS_H

#include "base/vec.h"
#include "history/history.h"

struct unresolved_read {
    uint32_t op, at;      /* the operation, and the place of the value in the pool */
    uint8_t kind;         /* of the value */
    struct value missing; /* the value, or the first element of the list, that is not written here */
};

struct reads {
    const history *h;
    struct mem *mem;
    uint32_t word_read, word_abort;
    struct value_ids keys, values;
    struct idmap written; /* key, value -> operation */
    struct idmap lists;   /* key, number of a list -> the list that ends with its first element without a write, or
                           * none is */
    struct idmap initial; /* keys whose initial list was looked at */
    bool *counts;         /* of an operation */
    VEC(struct unresolved_read) unresolved;
};

/* Finds the operations that count. Memory from m; may escape. */
void reads_begin(struct reads *x, const history *h, struct mem *m);
/* Finds the unresolved reads. The initial values are those of the history. */
void reads_resolve(struct reads *x);

static inline bool reads_is_read(const struct reads *x, uint32_t at) /* the place of an access in the pool */
{
    return (uint32_t)history_value(x->h, at).bits == x->word_read;
}

/* Makes them reads of unknown result; undoes that for one of them. */
void reads_hide(const struct reads *x, history *h);
static inline void reads_show(const struct unresolved_read *r, history *h)
{
    h->value_kind[r->at] = r->kind;
}

#endif
