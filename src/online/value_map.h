/* SPDX-License-Identifier: Apache-2.0 */
/* A map from values to numbers from which entries are taken again, so that it is as large as what is live: open
 * addressing with linear probing over a power of two, at most half full. Taking an entry moves those behind it up. */
#ifndef ASSAY_ONLINE_VALUE_MAP_H
#define ASSAY_ONLINE_VALUE_MAP_H

#include "base/keyed.h"
#include "history/history.h"

struct value_entry {
    struct value value; /* kind ASSAY_NONE never occurs as a key: the entry is free */
    uint32_t id;
};

struct value_map {
    struct value_entry *at;
    uint32_t mask, n;
};

static inline uint32_t value_map_home(const struct value_map *m, struct value v)
{
    return keyed_word((uint64_t)v.bits * 4 + v.kind) & m->mask;
}

static inline struct value_entry *value_map_find(const struct value_map *m, struct value v)
{
    if (!m->at)
        return NULL;
    for (uint32_t i = value_map_home(m, v); m->at[i].value.kind; i = (i + 1) & m->mask)
        if (value_same(m->at[i].value, v))
            return &m->at[i];
    return NULL;
}

/* The value must be new. */
void value_map_put(struct value_map *m, struct mem *mem, struct value v, uint32_t id);
void value_map_take(struct value_map *m, struct mem *mem, struct value v);

#endif
