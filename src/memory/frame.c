/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/frame.h"

#include "base/hash.h"

#include <string.h>

struct edges { /* between chains */
    struct mem *m;
    VEC(uint32_t) from, to;
};

static void edge(struct edges *x, uint32_t from, uint32_t to)
{
    if (from == ID_NONE)
        return;
    vec_push(x->m, &x->from, from);
    vec_push(x->m, &x->to, to);
}

static struct frame frame_of(struct chains chains, struct edges *x, const struct rw *v)
{
    struct groups out = group_by(x->from.at, x->from.n, v->n, x->m);
    for (uint32_t i = 0; i < x->from.n; i++)
        out.list[i] = x->to.at[out.list[i]];
    vec_free(x->m, &x->from);
    vec_free(x->m, &x->to);
    return (struct frame){.chains = chains, .fixed_at = out.at, .fixed = out.list};
}

/* A chain for each thread and variable. */
static struct frame per_variable(const struct rw *v, struct mem *m)
{
    struct edges none = {.m = m};
    struct idmap ids = {0};
    uint32_t *chain = mem_new(m, uint32_t, v->n), count = 0;
    for (uint32_t e = 0; e < v->n; e++) {
        chain[e] = ID_NONE;
        if (!(v->kind[e] & (RW_READS | RW_WRITES)))
            continue;
        uint32_t *id = idmap_at(m, &ids, (uint64_t)v->var[e] << 32 | v->thread[e]);
        if (*id == ID_NONE)
            *id = count++;
        chain[e] = *id;
    }
    mem_free(m, ids.slots);
    return frame_of(chains_by_key(chain, v->n, count, m), &none, v);
}

/* TSO. An edge that the event before it in the chain has, too, is redundant. */
static struct frame buffered_by_thread(const struct rw *v, struct mem *m)
{
    struct edges x = {.m = m};
    struct chains chains = chains_of_buffers(v, m);
    uint32_t *prior = prior_in_buffers(v, m);
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t previous = chain_previous(&chains, e);
        if (previous == ID_NONE || prior[previous] != prior[e])
            edge(&x, prior[e], e);
    }
    mem_free(m, prior);
    return frame_of(chains, &x, v);
}

/* Where writes overtake each other, ppo within a thread is a chain of reads and fences and one of the writes of each
 * variable. A write comes after the last read or fence and after the last rmw. A fence and an rmw come after all writes
 * since the previous fence or rmw. */
static void preserve(struct edges *x, const struct rw *v, uint32_t thread)
{
    uint32_t read = ID_NONE, rmw = ID_NONE, first = v->base[thread];
    for (uint32_t e = first; e < v->base[thread + 1]; e++) {
        bool barrier = v->kind[e] == RW_FENCE || v->kind[e] == (RW_READS | RW_WRITES);
        if (!v->kind[e])
            continue;
        edge(x, rmw, e);
        if (v->kind[e] & RW_WRITES)
            edge(x, read, e);
        for (; barrier && first < e; first++)
            if (v->kind[first] == RW_WRITES)
                edge(x, first, e);
        if (v->kind[e] != RW_WRITES) { /* later events come after e, and e after all events forgotten here */
            read = v->kind[e] & RW_WRITES ? ID_NONE : e;
            rmw = v->kind[e] & RW_WRITES ? e : ID_NONE;
        }
    }
}

size_t frame_pso_chains(const struct rw *v)
{
    return (size_t)v->k + v->groups_of[v->d];
}

static struct frame buffered_by_variable(const struct rw *v, struct mem *m)
{
    struct edges x = {.m = m};
    uint32_t *chain = mem_new(m, uint32_t, v->n);
    memcpy(chain, v->thread, v->n * sizeof *chain);
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
            chain[rw_write(v, g, i)] = v->k + g;
    for (uint32_t t = 0; t < v->k; t++)
        preserve(&x, v, t);
    return frame_of(chains_by_key(chain, v->n, (uint32_t)frame_pso_chains(v), m), &x, v);
}

void frames_init(struct frames *f, const struct rw *v, enum memory memory, struct mem *m)
{
    struct edges none = {.m = m};
    *f = (struct frames){.v = v, .count = memory == MEMORY_SC ? 1 : 2};
    if (memory == MEMORY_SC) {
        f->frame[0] = frame_of(chains_of_threads(v, m), &none, v);
        return;
    }
    f->frame[0] = (memory == MEMORY_TSO ? buffered_by_thread : buffered_by_variable)(v, m);
    f->frame[0].external = true;
    f->frame[1] = per_variable(v, m);
}
