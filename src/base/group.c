/* SPDX-License-Identifier: Apache-2.0 */
#include "base/group.h"

#include "base/hash.h"

struct groups group_by(const uint32_t *key, uint32_t n, uint32_t keys, struct mem *m)
{
    struct groups g = {mem_new_zero(m, uint32_t, (size_t)keys + 2), mem_new(m, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++)
        if (key[i] != ID_NONE)
            g.at[key[i] + 2]++;
    group_starts(g.at, keys);
    for (uint32_t i = 0; i < n; i++)
        if (key[i] != ID_NONE)
            g.list[g.at[key[i] + 1]++] = i;
    return g;
}

struct groups groups_inverse(const uint32_t *at, const uint32_t *to, uint32_t n, struct mem *m)
{
    uint32_t count = at[n], *from = mem_new(m, uint32_t, count);
    for (uint32_t e = 0; e < n; e++)
        for (uint32_t i = at[e]; i < at[e + 1]; i++)
            from[i] = e;
    struct groups into = group_by(to, count, n, m);
    for (uint32_t i = 0; i < count; i++)
        into.list[i] = from[into.list[i]];
    mem_free(m, from);
    return into;
}

void groups_free(struct groups *g, struct mem *m)
{
    mem_free(m, g->at);
    mem_free(m, g->list);
    *g = (struct groups){0};
}
