/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/store_orders.h"

#include <string.h>

/* ---- edges: each is handed to n->edge by the event that it leads to ---- */

static void visit_stored(struct store_orders *n, uint32_t write, uint32_t but)
{
    for (uint32_t i = n->out[write]; i != ID_NONE; i = n->edges.at[i].next)
        if (n->edges.at[i].to != but)
            n->edge(n, n->edges.at[i].to);
}

/* Writes after the source of the read e. */
static void visit_overwriters(struct store_orders *n, uint32_t e)
{
    const struct rw *v = n->f->v;
    if (v->src[e] < RW_UNSAID) {
        visit_stored(n, v->src[e], e);
        return;
    }
    for (uint32_t g = v->groups_of[v->var[e]]; g < v->groups_of[v->var[e] + 1]; g++) {
        uint32_t first = rw_first_write(v, g);
        if (first != e)
            n->edge(n, first);
    }
}

static void visit_successors(struct store_orders *n, const struct frame *f, uint32_t e)
{
    const struct rw *v = n->f->v;
    const struct groups *readers = &n->s->readers;
    budget_tick(n->budget);
    if (chain_next(&f->chains, e) != ID_NONE)
        n->edge(n, chain_next(&f->chains, e));
    for (uint32_t i = f->fixed_at[e]; i < f->fixed_at[e + 1]; i++)
        n->edge(n, f->fixed[i]);
    for (uint32_t i = readers->at[e]; i < readers->at[e + 1]; i++)
        if (!f->external || v->thread[readers->list[i]] != v->thread[e])
            n->edge(n, readers->list[i]);
    if (v->kind[e] & RW_WRITES)
        visit_stored(n, e, ID_NONE);
    if (v->kind[e] & RW_READS)
        visit_overwriters(n, e);
}

/* ---- reachability ---- */

static void see(struct store_orders *n, uint32_t e)
{
    if (n->seen[e] == n->search)
        return;
    n->seen[e] = n->search;
    vec_push(n->m, &n->path, e);
}

/* Marks everything that w reaches as seen: v, or a reader of v other than w? */
static bool reaches(struct store_orders *n, const struct frame *f, uint32_t w, uint32_t v)
{
    const struct groups *readers = &n->s->readers;
    n->search++;
    n->edge = see;
    see(n, w);
    while (n->path.n)
        visit_successors(n, f, vec_pop(&n->path));
    bool found = n->seen[v] == n->search;
    for (uint32_t i = readers->at[v]; i < readers->at[v + 1]; i++)
        found |= readers->list[i] != w && n->seen[readers->list[i]] == n->search;
    return found;
}

/* ---- is a graph acyclic? ---- */

static void count_edge(struct store_orders *n, uint32_t e)
{
    n->waits[e]++;
}

static void release(struct store_orders *n, uint32_t e)
{
    if (--n->waits[e] == 0)
        vec_push(n->m, &n->path, e);
}

static bool acyclic(struct store_orders *n, const struct frame *f)
{
    uint32_t left = 0;
    memset(n->waits, 0, n->f->v->n * sizeof *n->waits);
    n->edge = count_edge;
    for (uint32_t e = 0; e < n->f->v->n; e++)
        if (f->chains.at[e] != ID_NONE)
            visit_successors(n, f, e);
    for (uint32_t e = 0; e < n->f->v->n; e++)
        if (f->chains.at[e] != ID_NONE) {
            left++;
            if (!n->waits[e])
                vec_push(n->m, &n->path, e);
        }
    n->edge = release;
    for (; n->path.n; left--)
        visit_successors(n, f, vec_pop(&n->path));
    return left == 0;
}

/* ---- store edges ---- */

static void push_edge(struct store_orders *n, uint32_t v, uint32_t w)
{
    struct store_edge edge = {v, w, n->out[v]};
    vec_push(n->m, &n->edges, edge);
    n->out[v] = n->edges.n - 1;
}

static void pop_edge(struct store_orders *n)
{
    struct store_edge edge = vec_pop(&n->edges);
    n->out[edge.from] = edge.next;
}

/* The history declares that v is the last write of its variable. */
static bool declared_last(const struct rw *v, uint32_t write)
{
    return v->final && v->final[v->var[write]] == write;
}

/* The fixed pairs: of each thread's writes the last one before w will do. False: one of them is
 * declared to be the last of all. */
static bool push_fixed(struct store_orders *n)
{
    const struct rw *v = n->f->v;
    const struct known_order *fixed = &n->p->fixed;
    for (uint32_t i = 0; i < n->s->order.at[v->d]; i++) {
        uint32_t w = n->s->order.list[i], x = v->var[w];
        for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
            uint32_t j = v->groups[g + 1].from, before = ID_NONE;
            for (; j > v->groups[g].from && before == ID_NONE; j--) {
                uint32_t last = rw_write(v, g, j - 1);
                if (last != w && fixed->stored(fixed->arg, last, w))
                    before = last;
                budget_tick(n->budget);
            }
            if (before != ID_NONE && declared_last(v, before))
                return false;
            if (before != ID_NONE)
                push_edge(n, before, w);
        }
    }
    return true;
}

/* Orders v before w unless that makes a cycle. */
static bool try_order(struct store_orders *n, uint32_t v, uint32_t w)
{
    n->stats->choices++;
    if (declared_last(n->f->v, v))
        return false;
    for (uint32_t i = 0; i < n->f->count; i++)
        if (reaches(n, &n->f->frame[i], w, v)) {
            n->stats->conflicts++;
            return false;
        }
    push_edge(n, v, w);
    return true;
}

bool store_orders_complete(struct store_orders *n)
{
    const struct rw *v = n->f->v;
    struct pairs *p = n->p;
    uint32_t at = 0;
    n->out = mem_new_ids(n->m, v->n);
    n->tried = mem_new_zero(n->m, uint8_t, p->open.n);
    n->seen = mem_new_zero(n->m, uint32_t, v->n);
    n->waits = mem_new(n->m, uint32_t, v->n);
    if (!push_fixed(n))
        return false;
    for (uint32_t i = 0; i < n->f->count; i++)
        if (!acyclic(n, &n->f->frame[i]))
            return false;
    while (at < p->open.n) {
        struct open_pair pair = p->open.at[at];
        if (n->tried[at] < 2) {
            p->value[at] = n->tried[at]++ == 0;
            at += p->value[at] ? try_order(n, pair.first, pair.second) : try_order(n, pair.second, pair.first);
            continue;
        }
        n->tried[at] = 0;
        if (at == 0)
            return false;
        at--;
        pop_edge(n);
    }
    return true;
}
