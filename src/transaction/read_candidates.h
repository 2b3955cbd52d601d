/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of a read of a register, where values repeat: the writes that may be its source.
 *
 * A candidate is the last write of the key by another transaction, one that has not aborted, and has the value that was
 * read. The initial value is one, too, where it is equal. */
#ifndef ASSAY_TRANSACTION_CANDIDATES_H
#define ASSAY_TRANSACTION_CANDIDATES_H

#include "transaction/gather.h"

struct txn_candidates {
    struct mem *m;
    struct groups of_key; /* its writes, in the order of the operations */
    uint32_t *place;      /* of a write: among those of its key */
    struct groups same;   /* of the first access that writes a value to a key: all that do */
    VEC(uint32_t) found;  /* writes, or TXN_INIT */
    VEC(uint32_t) cost;   /* of each: the writes of the key between it and the read */
};

/* Was the value written again? access: the first one that writes it; initial: is it the initial value? */
static inline bool txn_value_repeats(const struct gathered *g, uint32_t access, bool initial)
{
    return access != ID_NONE && (initial || (g->again.n && idmap_get(&g->again, access) != ID_NONE));
}

/* Finds the candidates of the read of a value that was written again, but not more than `most`. The likely ones come
 * first: few writes of the key were recorded between them and the read. */
void txn_candidates_find(struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access, bool initial,
                         uint32_t most);
void txn_candidates_free(struct txn_candidates *c);

/* It has none: the name of that, and the operation that wrote the value. */
enum pattern txn_candidates_lack(const struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access,
                                 uint32_t *writer);

#endif
