/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/chains.h"

struct chains chains_by_key(uint32_t *key, uint32_t n, uint32_t count, struct mem *m)
{
    struct groups g = group_by(key, n, count, m);
    struct chains c = {count, key, mem_new(m, uint32_t, n), g.at, g.list};
    for (uint32_t e = 0; e < n; e++)
        c.at[e] = ID_NONE;
    for (uint32_t chain = 0; chain < count; chain++)
        for (uint32_t i = g.at[chain]; i < g.at[chain + 1]; i++)
            c.at[g.list[i]] = i - g.at[chain];
    return c;
}

struct chains chains_of_threads(const struct rw *v, struct mem *m)
{
    return chains_by_key(v->thread, v->n, v->k, m);
}

struct chains chains_of_buffers(const struct rw *v, struct mem *m)
{
    uint32_t *chain = mem_new(m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        chain[e] = 2 * v->thread[e] + (v->kind[e] != RW_READS);
    return chains_by_key(chain, v->n, 2 * v->k, m);
}

uint32_t *prior_in_buffers(const struct rw *v, struct mem *m)
{
    uint32_t *prior = mem_new(m, uint32_t, v->n);
    for (uint32_t t = 0; t < v->k; t++) {
        uint32_t read = ID_NONE, barrier = ID_NONE;
        for (uint32_t e = v->base[t]; e < v->base[t + 1]; e++) {
            prior[e] = v->kind[e] == RW_READS ? barrier : read;
            if (v->kind[e] == RW_READS)
                read = e;
            else if (v->kind[e] & (RW_READS | RW_FENCE))
                barrier = e;
        }
    }
    return prior;
}
