/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/chains.h"

#include <string.h>

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

size_t chains_of_variables_count(const struct rw *v)
{
    return (size_t)v->k + v->groups_of[v->d];
}

struct chains chains_of_variables(const struct rw *v, struct mem *m)
{
    uint32_t *chain = mem_new(m, uint32_t, v->n);
    memcpy(chain, v->thread, v->n * sizeof *chain);
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
            chain[rw_write(v, g, i)] = v->k + g;
    return chains_by_key(chain, v->n, (uint32_t)chains_of_variables_count(v), m);
}

uint32_t *prior_in_variables(const struct rw *v, struct mem *m)
{
    uint32_t *prior = mem_new(m, uint32_t, v->n);
    for (uint32_t t = 0; t < v->k; t++)
        for (uint32_t e = v->base[t], last = ID_NONE; e < v->base[t + 1]; e++) {
            prior[e] = last;
            if (v->kind[e] && v->kind[e] != RW_WRITES)
                last = e;
        }
    return prior;
}
