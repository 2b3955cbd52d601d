/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/free_choice.h"

#include "memory/edges.h"

#include <stdlib.h>

struct freeing {
    const struct choosing_last *q;
    const struct txn_events *s;
    const bool *past;
    struct last_choice *choices;
    uint32_t count;
    struct mem *m;
    uint32_t *choice_of; /* of a transaction: the choice whose candidate or reader it is, or ID_NONE */
    uint32_t *group_of;  /* and of which candidate */
    struct edges edges;  /* between nodes: events, and behind them the choices */
};

/* ---- contracted nodes ---- */

static void join(struct freeing *x, uint32_t t, uint32_t choice, uint32_t group)
{
    if (x->choice_of[t] != ID_NONE && (x->choice_of[t] != choice || x->group_of[t] != group))
        x->choices[x->choice_of[t]].free = x->choices[choice].free = false;
    x->choice_of[t] = choice;
    x->group_of[t] = group;
}

static void contract(struct freeing *x)
{
    const struct txn_view *v = x->s->v;
    uint32_t *candidate = mem_new_ids(x->m, (size_t)v->writes_at[v->n] + 1);
    for (uint32_t c = 0; c < x->count; c++) {
        x->choices[c].free = true;
        for (uint32_t i = 0; i < x->choices[c].n; i++) {
            candidate[x->q->writes[x->choices[c].from + i]] = c;
            join(x, v->writer[x->q->writes[x->choices[c].from + i]], c, x->q->writes[x->choices[c].from + i]);
        }
    }
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; x->past[t] && i < v->reads_at[t + 1]; i++) {
            uint32_t source = v->reads[i].source;
            if (source != TXN_INIT && candidate[source] != ID_NONE)
                join(x, t, candidate[source], source);
        }
    mem_free(x->m, candidate);
}

/* ---- edges ---- */

static bool is_past(const struct freeing *x, uint32_t e)
{
    return !txn_events_is_txn(x->s, e) || x->past[e / x->s->points];
}

static uint32_t choice_at(const struct freeing *x, uint32_t e)
{
    return txn_events_is_txn(x->s, e) ? x->choice_of[e / x->s->points] : ID_NONE;
}

/* key: of ww and rw edges; ID_NONE: of the others. */
static void edge(struct freeing *x, uint32_t from, uint32_t to, uint32_t key)
{
    if (!is_past(x, from) || !is_past(x, to))
        return;
    uint32_t a = choice_at(x, from), b = choice_at(x, to), events = x->s->rw.n;
    if (a == ID_NONE || a != b) {
        edges_add(&x->edges, a == ID_NONE ? from : events + a, b == ID_NONE ? to : events + b);
        return;
    }
    uint32_t t = from / x->s->points, u = to / x->s->points;
    bool within = x->group_of[t] == x->group_of[u], forced = x->choices[a].list && x->q->before(x->q->arg, t, u);
    if (!within && !forced && key != x->choices[a].key)
        x->choices[a].free = false; /* the candidate of t cannot be the last, or cannot come behind u */
}

static void add_fixed(struct freeing *x)
{
    const struct rw *rw = &x->s->rw;
    for (uint32_t e = 0; e < rw->n; e++) {
        uint32_t count = 0;
        const uint32_t *before = rw->across ? across_before(rw, e, &count) : NULL;
        for (uint32_t i = 0; i < count; i++)
            edge(x, before[i], e, ID_NONE);
        if (e > rw->base[rw->thread[e]])
            edge(x, e - 1, e, ID_NONE);
    }
}

struct version {
    uint32_t rank, write;
};

static int by_rank(const void *left, const void *right)
{
    const struct version *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* ww from each version to the next, and of each write the next one of its key. */
static uint32_t *add_versions(struct freeing *x, uint32_t *first)
{
    const struct txn_view *v = x->s->v;
    uint32_t writes = v->writes_at[v->n], *next = mem_new_ids(x->m, (size_t)writes + 1);
    struct groups by = group_by(v->write_key, writes, v->d, x->m);
    struct version *all = mem_new(x->m, struct version, (size_t)writes + 1);
    for (uint32_t key = 0; key < v->d; key++) {
        uint32_t n = 0;
        for (uint32_t i = by.at[key]; i < by.at[key + 1]; i++)
            if (x->past[v->writer[by.list[i]]])
                all[n++] = (struct version){x->q->rank[txn_events_commit(x->s, v->writer[by.list[i]])], by.list[i]};
        if (n)
            qsort(all, n, sizeof *all, by_rank);
        first[key] = n ? all[0].write : ID_NONE;
        for (uint32_t i = 1; i < n; i++) {
            next[all[i - 1].write] = all[i].write;
            edge(x, txn_events_commit(x->s, v->writer[all[i - 1].write]),
                 txn_events_begin(x->s, v->writer[all[i].write]), key);
        }
    }
    mem_free(x->m, all);
    groups_free(&by, x->m);
    return next;
}

static void add_reads(struct freeing *x)
{
    const struct txn_view *v = x->s->v;
    uint32_t *first = mem_new(x->m, uint32_t, (size_t)v->d + 1), *next = add_versions(x, first);
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; x->past[t] && i < v->reads_at[t + 1]; i++) {
            const struct txn_read *r = &v->reads[i];
            uint32_t behind = r->source == TXN_INIT ? first[r->key] : next[r->source];
            if (r->source != TXN_INIT)
                edge(x, txn_events_commit(x->s, v->writer[r->source]), txn_events_begin(x->s, t), ID_NONE);
            if (behind != ID_NONE && v->writer[behind] != t)
                edge(x, txn_events_begin(x->s, t), txn_events_commit(x->s, v->writer[behind]), r->key);
        }
    mem_free(x->m, first);
    mem_free(x->m, next);
}

/* ---- is the contracted graph acyclic? ---- */

/* The choices that cannot be sorted are not free. */
static void sort(struct freeing *x)
{
    uint32_t nodes = x->s->rw.n + x->count, done = 0, ready = 0;
    uint32_t *left = mem_new_zero(x->m, uint32_t, (size_t)nodes + 1), *queue = mem_new(x->m, uint32_t, nodes);
    for (uint32_t i = 0; i < x->edges.to.n; i++)
        left[x->edges.to.at[i]]++;
    struct groups out = edges_out(&x->edges, nodes);
    for (uint32_t node = 0; node < nodes; node++)
        if (!left[node])
            queue[ready++] = node;
    while (done < ready) {
        uint32_t node = queue[done++];
        for (uint32_t i = out.at[node]; i < out.at[node + 1]; i++)
            if (!--left[out.list[i]])
                queue[ready++] = out.list[i];
    }
    for (uint32_t c = 0; c < x->count; c++)
        if (left[x->s->rw.n + c])
            x->choices[c].free = false;
    mem_free(x->m, left);
    mem_free(x->m, queue);
    groups_free(&out, x->m);
}

void free_choices(const struct choosing_last *q, struct mem *m)
{
    uint32_t n = q->s->v->n;
    struct freeing x = {.q = q,
                        .s = q->s,
                        .past = q->past,
                        .choices = q->choices,
                        .count = q->count,
                        .m = m,
                        .choice_of = mem_new_ids(m, (size_t)n + 1),
                        .group_of = mem_new_ids(m, (size_t)n + 1),
                        .edges = {.m = m}};
    contract(&x);
    add_fixed(&x);
    add_reads(&x);
    sort(&x);
    mem_free(m, x.choice_of);
    mem_free(m, x.group_of);
}
