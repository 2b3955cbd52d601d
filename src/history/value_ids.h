/* SPDX-License-Identifier: Apache-2.0 */
/* Values numbered 0, 1, 2, ... by first appearance. One exact map per kind, so that nothing rests on
 * hashes being different. */
#ifndef ASSAY_HISTORY_VALUE_IDS_H
#define ASSAY_HISTORY_VALUE_IDS_H

#include "base/hash.h"
#include "history/value.h"

struct value_ids {
    struct idmap of_kind[VALUE_KIND_COUNT];
    uint32_t n;
};

static inline uint32_t value_id(struct mem *m, struct value_ids *ids, struct value v)
{
    uint32_t *id = idmap_at(m, &ids->of_kind[v.kind], (uint64_t)v.bits);
    if (*id == ID_NONE)
        *id = ids->n++;
    return *id;
}

static inline uint32_t value_id_find(const struct value_ids *ids, struct value v)
{
    return idmap_get(&ids->of_kind[v.kind], (uint64_t)v.bits);
}

static inline void value_ids_free(struct mem *m, struct value_ids *ids)
{
    for (int kind = 0; kind < VALUE_KIND_COUNT; kind++)
        idmap_free(m, &ids->of_kind[kind]);
}

#endif
