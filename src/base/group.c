/* SPDX-License-Identifier: Apache-2.0 */
#include "base/group.h"

#include "base/hash.h"

struct groups group_by(const uint32_t *key, uint32_t n, uint32_t keys, struct mem *m)
{
    struct groups g = {mem_new_zero(m, uint32_t, (size_t)keys + 1), mem_new(m, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++)
        if (key[i] != ID_NONE)
            g.at[key[i]]++;
    uint32_t sum = 0;
    for (uint32_t x = 0; x <= keys; x++) { /* at[x] becomes the group's end ... */
        sum += g.at[x];
        g.at[x] = sum;
    }
    for (uint32_t i = n; i-- > 0;) /* ... and, filled from behind, its start */
        if (key[i] != ID_NONE)
            g.list[--g.at[key[i]]] = i;
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
