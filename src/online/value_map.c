/* SPDX-License-Identifier: Apache-2.0 */
#include "online/value_map.h"

static void insert(struct value_map *m, struct value v, uint32_t id)
{
    uint32_t i = value_map_home(m, v);
    while (m->at[i].value.kind)
        i = (i + 1) & m->mask;
    m->at[i] = (struct value_entry){v, id};
}

static void resize(struct value_map *m, struct mem *mem, uint32_t slots)
{
    struct value_map old = *m;
    m->at = mem_new_zero(mem, struct value_entry, slots);
    m->mask = slots - 1;
    for (uint32_t i = 0; old.at && i <= old.mask; i++)
        if (old.at[i].value.kind)
            insert(m, old.at[i].value, old.at[i].id);
    mem_free(mem, old.at);
}

void value_map_put(struct value_map *m, struct mem *mem, struct value v, uint32_t id)
{
    if (!m->at)
        resize(m, mem, 64);
    else if (2 * (m->n + 1) > m->mask)
        resize(m, mem, 2 * (m->mask + 1));
    insert(m, v, id);
    m->n++;
}

void value_map_take(struct value_map *m, struct mem *mem, struct value v)
{
    uint32_t hole = (uint32_t)(value_map_find(m, v) - m->at);
    for (uint32_t i = (hole + 1) & m->mask; m->at[i].value.kind; i = (i + 1) & m->mask)
        if (((i - value_map_home(m, m->at[i].value)) & m->mask) >= ((i - hole) & m->mask)) {
            m->at[hole] = m->at[i];
            hole = i;
        }
    m->at[hole].value.kind = ASSAY_NONE;
    if (--m->n < m->mask / 16 && m->mask >= 128)
        resize(m, mem, (m->mask + 1) / 2);
}
