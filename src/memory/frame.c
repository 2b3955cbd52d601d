/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/frame.h"

#include "base/hash.h"

struct building {
    const struct rw *v;
    struct mem *m;
    uint32_t *chain; /* event -> chain, or ID_NONE */
    uint32_t chains;
    VEC(uint32_t) from, to;
};

static struct building begin(const struct rw *v, struct mem *m)
{
    struct building b = {.v = v, .m = m, .chain = mem_new(m, uint32_t, v->n)};
    for (uint32_t e = 0; e < v->n; e++)
        b.chain[e] = ID_NONE;
    return b;
}

static void edge(struct building *b, uint32_t from, uint32_t to)
{
    if (from == ID_NONE)
        return;
    vec_push(b->m, &b->from, from);
    vec_push(b->m, &b->to, to);
}

static struct frame finish(struct building *b)
{
    struct groups out = group_by(b->from.at, b->from.n, b->v->n, b->m);
    for (uint32_t i = 0; i < b->from.n; i++)
        out.list[i] = b->to.at[out.list[i]];
    vec_free(b->m, &b->from);
    vec_free(b->m, &b->to);
    return (struct frame){
        .chains = chains_by_key(b->chain, b->v->n, b->chains, b->m), .fixed_at = out.at, .fixed = out.list};
}

/* ---- chains ---- */

static bool is_barrier(const struct rw *v, uint32_t e)
{
    return v->kind[e] == (RW_READS | RW_WRITES) || v->kind[e] == RW_FENCE;
}

/* A chain for each thread and variable, for events of one of these kinds. */
static void chain_by_variable(struct building *b, unsigned kinds)
{
    const struct rw *v = b->v;
    struct idmap ids = {0};
    for (uint32_t e = 0; e < v->n; e++) {
        if (!(v->kind[e] & kinds) || b->chain[e] != ID_NONE)
            continue;
        uint32_t *id = idmap_at(b->m, &ids, (uint64_t)v->var[e] << 32 | v->thread[e]);
        if (*id == ID_NONE)
            *id = b->chains++;
        b->chain[e] = *id;
    }
    mem_free(b->m, ids.slots);
}

/* Two chains in each thread: reads; fences and rmws, for TSO with the other writes. */
static void chain_by_kind(struct building *b, bool with_writes)
{
    const struct rw *v = b->v;
    for (uint32_t e = 0; e < v->n; e++) {
        if (v->kind[e] == RW_READS)
            b->chain[e] = 2 * v->thread[e];
        else if (is_barrier(v, e) || (with_writes && v->kind[e] == RW_WRITES))
            b->chain[e] = 2 * v->thread[e] + 1;
    }
    b->chains = 2 * v->k;
}

/* ---- the frames ---- */

static struct frame all_of_po(const struct rw *v, struct mem *m)
{
    struct building b = begin(v, m);
    for (uint32_t e = 0; e < v->n; e++)
        b.chain[e] = v->thread[e];
    b.chains = v->k;
    return finish(&b);
}

static struct frame per_variable(const struct rw *v, struct mem *m)
{
    struct building b = begin(v, m);
    chain_by_variable(&b, RW_READS | RW_WRITES);
    return finish(&b);
}

/* Reads and barriers precede what follows them; writes precede barriers, and in TSO later writes
 * by their chain, which barriers are part of. In PSO a write is on its own: each has an edge to
 * the next barrier. */
static void preserve(struct building *b, uint32_t thread, bool pso)
{
    const struct rw *v = b->v;
    uint32_t read = ID_NONE, barrier = ID_NONE, first = v->base[thread];
    for (uint32_t e = v->base[thread]; e < v->base[thread + 1]; e++) {
        if (v->kind[e] == RW_READS) {
            edge(b, barrier, e);
            read = e;
        } else if (is_barrier(v, e)) {
            edge(b, read, e);
            for (uint32_t w = first; pso && w < e; w++)
                if (v->kind[w] == RW_WRITES)
                    edge(b, w, e);
            barrier = first = e;
        } else if (v->kind[e] == RW_WRITES) {
            edge(b, read, e);
            if (pso)
                edge(b, barrier, e);
        }
    }
}

static struct frame buffered(const struct rw *v, bool pso, struct mem *m)
{
    struct building b = begin(v, m);
    chain_by_kind(&b, !pso);
    if (pso)
        chain_by_variable(&b, RW_WRITES);
    for (uint32_t t = 0; t < v->k; t++)
        preserve(&b, t, pso);
    struct frame frame = finish(&b);
    frame.external = true;
    return frame;
}

void frames_init(struct frames *f, const struct rw *v, enum memory memory, struct mem *m)
{
    *f = (struct frames){.v = v, .count = 1};
    if (memory == MEMORY_SC) {
        f->frame[0] = all_of_po(v, m);
        return;
    }
    f->frame[0] = buffered(v, memory == MEMORY_PSO, m);
    f->frame[1] = per_variable(v, m);
    f->count = 2;
}
