/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/force.h"

#include "base/prefetch.h"
#include "memory/chain_clock.h"

#include <string.h>

enum { NEAR = 8, FAR = 16 }; /* so many reads before its source's row is needed it is asked for; and its number */

void force_init(struct force *f, const struct rw *v, struct mem *m, struct budget *budget, struct stats *stats)
{
    *f = (struct force){.v = v, .m = m, .budget = budget, .stats = stats};
    f->edges_of = mem_new_zero(m, uint32_t, v->n);
    f->active_of = mem_new_ids(m, v->d);
}

void force_free_work(struct force *f)
{
    vec_free(f->m, &f->reads);
    vec_free(f->m, &f->free_slots);
    mem_free(f->m, f->edges_of);
    mem_free(f->m, f->downs);
    mem_free(f->m, f->active);
    mem_free(f->m, f->joins);
    mem_free(f->m, f->active_of);
}

void force_begin(struct force *f, const struct pasts *past)
{
    const struct rw *v = f->v;
    for (uint32_t i = 0; i < f->reads.n; i++) {
        uint32_t source = v->src[f->reads.at[i]];
        if (source < RW_THIN)
            f->edges_of[source] = 0;
    }
    for (uint32_t i = 0; i < f->active_count; i++)
        f->active_of[v->var[f->active[i].write]] = ID_NONE;
    vec_clear(&f->reads);
    vec_clear(&f->free_slots);
    f->active_count = f->slots = 0;
    f->past = past;
}

/* ---- rows ---- */

void force_join(const struct force *f, uint32_t *row, uint32_t e)
{
    uint32_t t = f->v->thread[e], end = e - f->v->base[t] + 1;
    uint32_t own = row[t] > end ? row[t] : end;
    clock_join(row, pasts_row(f->past, e), f->v->k);
    row[t] = own;
}

/* Closes D under the rules of later reads; sources that are outside leave active[]. */
static void close_down(struct force *f, uint32_t *d)
{
    const struct rw *v = f->v;
    uint32_t in = 0; /* active[0 .. in-1] are known to be inside */
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = in; i < f->active_count; i++) {
            struct force_source a = f->active[i];
            if (a.position >= d[a.thread])
                continue;
            clock_join(d, f->joins + (size_t)a.slot * v->k, v->k);
            f->active[i] = f->active[in];
            f->active[in++] = a;
            grown = true;
        }
    }
    for (uint32_t i = in; i < f->active_count; i++) {
        uint32_t source = f->active[i].write, *of = &f->active_of[v->var[source]];
        if (*of == source) /* an rmw was active together with its own source */
            *of = ID_NONE;
        vec_push(f->m, &f->free_slots, f->active[i].slot);
    }
    f->active_count = in;
}

/* The hb-predecessors of r, in d. An rmw may be a source itself: its past counts, it does not. */
static void down_of(struct force *f, uint32_t r, uint32_t *d)
{
    const struct rw *v = f->v;
    uint32_t own = pasts_own(f->past, r), *mine = &d[v->thread[r]], itself = v->kind[r] & RW_WRITES ? 1 : 0;
    memcpy(d, pasts_row(f->past, r), v->k * sizeof *d);
    *mine = own + itself;
    close_down(f, d);
    if (*mine == own + itself)
        *mine = own;
}

/* ---- the rule of one read ---- */

static uint32_t new_slot(struct force *f)
{
    if (f->free_slots.n)
        return vec_pop(&f->free_slots);
    if (f->slots == f->active_room) {
        f->active_room = f->active_room * 2 + 64;
        f->joins = mem_resize(f->m, f->joins, mem_product((size_t)f->active_room * f->v->k, sizeof *f->joins));
        f->active = mem_resize(f->m, f->active, mem_product(f->active_room, sizeof *f->active));
    }
    return f->slots++;
}

/* Joins the events that the edges to w put before it: from now on w is an active source. */
static void activate(struct force *f, uint32_t w)
{
    const struct rw *v = f->v;
    uint32_t slot = new_slot(f), t = v->thread[w];
    uint32_t *before = f->joins + (size_t)slot * v->k;
    memset(before, 0, v->k * sizeof *before);
    for (uint32_t i = f->edges_of[w] - 1; i < f->edges.n; i++)
        force_join(f, before, f->edges.at[i].v);
    f->active[f->active_count++] = (struct force_source){w, t, w - v->base[t], slot};
    f->active_of[v->var[w]] = w;
}

/* The rule of read r with source w: every other write of the variable in D comes before w. Causes of w come before w
 * anyway and make no edge. False: w comes before one of these writes. */
static bool apply_rule(struct force *f, uint32_t r, const uint32_t *d)
{
    const struct rw *v = f->v;
    uint32_t w = v->src[r], x = v->var[r], t = v->thread[w], first = f->edges.n;
    const uint32_t *past = pasts_row(f->past, w);
    f->edges_of[w] = first + 1;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
        uint32_t u = v->groups[g].thread, done = u == t ? w - v->base[t] + 1 : past[u];
        if (d[u] <= done)
            continue;
        uint32_t at = rw_last_before(v, g, d[u]);
        f->stats->lookups++;
        if (at == ID_NONE || at < done)
            continue;
        struct observed_edge edge = {v->base[u] + at, w, r};
        vec_push(f->m, &f->edges, edge);
    }
    bool inside = w - v->base[t] < d[t], rival = f->active_of[x] != ID_NONE && f->active_of[x] != r;
    if (inside && f->edges.n > first)
        activate(f, w);
    return !(inside && rival);
}

static bool initial_precedes(const struct force *f, uint32_t r, const uint32_t *d, uint32_t *later)
{
    const struct rw *v = f->v;
    for (uint32_t g = v->groups_of[v->var[r]]; g < v->groups_of[v->var[r] + 1]; g++) {
        uint32_t u = v->groups[g].thread, first = v->idx[v->groups[g].from];
        if (first < d[u] && v->base[u] + first != r) { /* an rmw before itself is a cycle */
            *later = v->base[u] + first;
            return true;
        }
    }
    return false;
}

static void make_room(struct force *f)
{
    size_t needed = (size_t)f->reads.n * f->v->k;
    if (needed <= f->downs_room)
        return;
    f->downs = mem_resize(f->m, f->downs, mem_product(needed, sizeof *f->downs));
    f->downs_room = needed;
}

/* The i-th read is the current one; the ones before it come soon. */
static void look_ahead(const struct force *f, uint32_t i)
{
    const struct rw *v = f->v;
    uint32_t far = i >= FAR ? v->src[f->reads.at[i - FAR]] : RW_INIT;
    uint32_t near = i >= NEAR ? v->src[f->reads.at[i - NEAR]] : RW_INIT;
    if (far < RW_THIN) {
        prefetch(&v->thread[far]);
        prefetch(&f->edges_of[far]);
        prefetch(&f->past->row_of[far]);
    }
    if (near < RW_THIN)
        prefetch_bytes(pasts_row(f->past, near), v->k * sizeof(uint32_t));
}

enum observation force_derive(struct force *f, uint32_t *read, uint32_t *later)
{
    const struct rw *v = f->v;
    make_room(f);
    for (uint32_t i = f->reads.n; i-- > 0;) {
        uint32_t r = f->reads.at[i], *d = f->downs + (size_t)i * v->k;
        budget_tick(f->budget);
        look_ahead(f, i);
        down_of(f, r, d);
        if (v->src[r] == RW_INIT) {
            if (initial_precedes(f, r, d, later)) {
                *read = r;
                return OBSERVED_INITIAL;
            }
            continue;
        }
        if (f->edges_of[v->src[r]])
            continue; /* the last read of the same source has forced all edges */
        if (!apply_rule(f, r, d)) {
            f->on_cycle = v->src[r];
            return OBSERVED_CYCLE;
        }
    }
    return OBSERVED_FINE;
}

struct groups force_into(const struct force *f, uint32_t first, struct mem *m)
{
    uint32_t count = f->edges.n - first, *key = mem_new(m, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        key[i] = f->edges.at[first + i].w;
    struct groups into = group_by(key, count, f->v->n, m);
    for (uint32_t i = 0; i < count; i++)
        into.list[i] = f->edges.at[first + into.list[i]].v;
    mem_free(m, key);
    return into;
}
