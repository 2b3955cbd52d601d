/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/frame.h"

#include "base/hash.h"
#include "memory/across.h"
#include "memory/edges.h"

#include <string.h>

/* Between chains. */
static void edge(struct edges *x, uint32_t from, uint32_t to)
{
    if (from != ID_NONE)
        edges_add(x, from, to);
}

static struct frame frame_of(struct chains chains, struct edges *x, const struct rw *v)
{
    struct groups out = edges_out(x, v->n);
    return (struct frame){.chains = chains, .fixed_at = out.at, .fixed = out.list};
}

/* ---- program order across threads ---- */

/* The events before e of each other thread u are those before position end(u). Edges are needed from the last of each
 * chain only. Events below position from(u) precede the event before e in its chain, so they need none. */
struct growth {
    const uint32_t *from, *end; /* rows */
};

/* Does the past of e in other threads differ from that of `previous`, the one before e in its chain? */
static bool grows(const struct rw *v, uint32_t previous, uint32_t e, struct growth *g)
{
    const struct across *a = v->across;
    uint32_t before = previous == ID_NONE ? 0 : a->row_of[previous], now = a->row_of[e]; /* row 0 knows nothing */
    *g = (struct growth){a->rows + (size_t)before * v->k, a->rows + (size_t)now * v->k};
    return before != now;
}

/* latest[e]: the last event of some kind of e's thread, up to e itself. An edge to e from the one of thread u. */
static void edge_from_last(struct edges *x, const struct rw *v, const uint32_t *latest, const struct growth *g,
                           uint32_t u, uint32_t e)
{
    uint32_t last = g->end[u] ? latest[v->base[u] + g->end[u] - 1] : ID_NONE;
    if (last != ID_NONE && last - v->base[u] >= g->from[u])
        edge(x, last, e);
}

static uint32_t *latest_of(const struct rw *v, bool (*is)(uint8_t kind), struct mem *m)
{
    uint32_t *latest = mem_new(m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        latest[e] = is(v->kind[e]) ? e : e > v->base[v->thread[e]] ? latest[e - 1] : ID_NONE;
    return latest;
}

static bool is_plain_read(uint8_t kind)
{
    return kind == RW_READS;
}

static bool is_no_read(uint8_t kind)
{
    return kind && kind != RW_READS;
}

static void across_threads(struct edges *x, const struct rw *v)
{
    for (uint32_t e = 0; v->across && e < v->n; e++) {
        uint32_t count;
        const uint32_t *before = across_before(v, e, &count);
        for (uint32_t i = 0; i < count; i++)
            edge(x, before[i], e);
    }
}

/* TSO: a read comes after reads and barriers of other threads, everything else after all their events. */
static void across_buffers(struct edges *x, const struct rw *v, const struct chains *chains)
{
    if (!v->across)
        return;
    uint32_t *read = latest_of(v, is_plain_read, x->m), *barrier = latest_of(v, rw_is_barrier, x->m),
             *other = latest_of(v, is_no_read, x->m);
    for (uint32_t e = 0; e < v->n; e++) {
        struct growth g;
        if (!v->kind[e] || !grows(v, chain_previous(chains, e), e, &g))
            continue;
        for (uint32_t u = 0; u < v->k; u++) {
            if (u == v->thread[e])
                continue;
            edge_from_last(x, v, read, &g, u, e);
            edge_from_last(x, v, v->kind[e] == RW_READS ? barrier : other, &g, u, e);
        }
    }
    mem_free(x->m, read);
    mem_free(x->m, barrier);
    mem_free(x->m, other);
}

/* On each variable: the last event of it in each other thread. */
static void across_variables(struct edges *x, const struct rw *v, const struct chains *chains, const struct idmap *ids)
{
    for (uint32_t e = 0; v->across && e < v->n; e++) {
        struct growth g;
        if (chains->at[e] == ID_NONE || !grows(v, chain_previous(chains, e), e, &g))
            continue;
        for (uint32_t u = 0; u < v->k; u++) {
            uint32_t chain = u == v->thread[e] ? ID_NONE : idmap_get(ids, (uint64_t)v->var[e] << 32 | u);
            if (chain != ID_NONE)
                edge(x, chain_last_before(chains, chain, v->base[u] + g.end[u]), e);
        }
    }
}

/* ---- the frames ---- */

/* A chain for each thread and variable. */
static struct frame per_variable(const struct rw *v, struct mem *m)
{
    struct edges x = {.m = m};
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
    struct chains chains = chains_by_key(chain, v->n, count, m);
    across_variables(&x, v, &chains, &ids);
    mem_free(m, ids.slots);
    return frame_of(chains, &x, v);
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
    across_buffers(&x, v, &chains);
    return frame_of(chains, &x, v);
}

/* Where writes overtake each other, ppo within a thread is a chain of reads and fences and one of the writes of each
 * variable. A write comes after the last read or fence and after the last rmw. A fence and an rmw come after all writes
 * since the previous fence or rmw. */
static void preserve(struct edges *x, const struct rw *v, uint32_t thread)
{
    uint32_t read = ID_NONE, rmw = ID_NONE, first = v->base[thread];
    for (uint32_t e = first; e < v->base[thread + 1]; e++) {
        bool barrier = rw_is_barrier(v->kind[e]);
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

/* The last write of thread u to variable x below position `end`, or ID_NONE. */
static uint32_t write_before(const struct rw *v, uint32_t x, uint32_t u, uint32_t end)
{
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++)
        if (v->groups[g].thread == u) {
            uint32_t at = rw_last_before(v, g, end);
            return at == ID_NONE ? ID_NONE : v->base[u] + at;
        }
    return ID_NONE;
}

/* The same between threads. Everything comes after the last reads, fences and rmws of other threads. A write comes
 * after their writes of its variable, too, a fence or an rmw after all their writes. settled[u]: the writes of thread u
 * below it precede a barrier of the thread at hand already. */
static void preserve_across(struct edges *x, const struct rw *v, const struct chains *chains)
{
    uint32_t *read = latest_of(v, is_plain_read, x->m), *barrier = latest_of(v, rw_is_barrier, x->m);
    uint32_t *settled = mem_new(x->m, uint32_t, v->k);
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t t = v->thread[e], previous = chain_previous(chains, e);
        struct growth g;
        if (e == v->base[t])
            memset(settled, 0, v->k * sizeof *settled);
        if (!v->kind[e] || (!grows(v, previous, e, &g) && !rw_is_barrier(v->kind[e])))
            continue;
        for (uint32_t u = 0; u < v->k; u++) {
            if (u == t)
                continue;
            edge_from_last(x, v, read, &g, u, e);
            edge_from_last(x, v, barrier, &g, u, e);
            if (v->kind[e] == RW_WRITES)
                edge(x, write_before(v, v->var[e], u, g.end[u]), e);
            for (; rw_is_barrier(v->kind[e]) && settled[u] < g.end[u]; settled[u]++)
                if (v->kind[v->base[u] + settled[u]] == RW_WRITES)
                    edge(x, v->base[u] + settled[u], e);
        }
    }
    mem_free(x->m, read);
    mem_free(x->m, barrier);
    mem_free(x->m, settled);
}

static struct frame buffered_by_variable(const struct rw *v, struct mem *m)
{
    struct edges x = {.m = m};
    struct chains chains = chains_of_variables(v, m);
    for (uint32_t t = 0; t < v->k; t++)
        preserve(&x, v, t);
    if (v->across)
        preserve_across(&x, v, &chains);
    return frame_of(chains, &x, v);
}

void frames_init(struct frames *f, const struct rw *v, enum buffering memory, struct mem *m)
{
    struct edges x = {.m = m};
    *f = (struct frames){.v = v, .count = memory == MEMORY_SC ? 1 : 2};
    if (memory == MEMORY_SC) {
        across_threads(&x, v);
        f->frame[0] = frame_of(chains_of_threads(v, m), &x, v);
        return;
    }
    f->frame[0] = (memory == MEMORY_TSO ? buffered_by_thread : buffered_by_variable)(v, m);
    f->frame[0].external = true;
    f->frame[1] = per_variable(v, m);
}
