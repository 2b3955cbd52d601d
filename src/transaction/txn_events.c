/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/txn_events.h"

#include "memory/edges.h"

/* Data of the construction. */
struct slicing {
    struct txn_events *s;
    struct mem *m;
    uint32_t *seen;      /* of a key: the latest access of it, + 1 */
    uint32_t *access_of; /* of a write of the view: its access */
    uint32_t *first_of;  /* of a key: its write by the initial transaction, or ID_NONE; NULL: that is no event */
    bool *locked;        /* of a key; NULL: the level has no locks */
};

/* ---- accesses ---- */

static uint32_t add(struct slicing *x, uint32_t event, uint32_t var, uint8_t kind, uint32_t src)
{
    struct rw *rw = &x->s->rw;
    uint32_t a = rw->a++;
    rw->event[a] = event;
    rw->var[a] = var;
    rw->kind[a] = kind;
    rw->src[a] = src;
    rw->does[event] |= kind;
    rw->reads += kind == RW_READS;
    rw->writes += kind & RW_WRITES ? 1 : 0;
    return a;
}

/* Sources are writes of the view, until all accesses are there. */
static void add_reads(struct slicing *x, uint32_t t)
{
    const struct txn_view *v = x->s->v;
    uint32_t from = x->s->rw.a;
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
        const struct txn_read *r = &v->reads[i];
        uint32_t before = x->seen[r->key];
        if (before <= from)
            x->seen[r->key] = add(x, txn_events_begin(x->s, t), r->key, RW_READS, r->source) + 1;
        else if (x->s->rw.src[before - 1] != r->source)
            x->s->two_sources = t;
    }
}

static void add_writes(struct slicing *x, uint32_t t, uint32_t from)
{
    const struct txn_view *v = x->s->v;
    struct rw *rw = &x->s->rw;
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++) {
        uint32_t key = v->write_key[w], read = x->seen[key];
        if (x->s->points == 1 && read > from) {
            rw->kind[read - 1] |= RW_WRITES;
            rw->does[t] |= RW_WRITES;
            rw->writes++;
            x->access_of[w] = read - 1;
        } else {
            x->access_of[w] = add(x, txn_events_commit(x->s, t), key, RW_WRITES, RW_INIT);
        }
    }
}

/* Sources of locks are accesses already: they are marked by their variable. */
static void lock(struct slicing *x, uint32_t t, uint32_t *held)
{
    const struct txn_view *v = x->s->v;
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (x->locked[v->write_key[w]])
            held[w - v->writes_at[t]] = add(x, txn_events_begin(x->s, t), v->d + v->write_key[w], RW_WRITES, RW_INIT);
}

static void unlock(struct slicing *x, uint32_t t, const uint32_t *held)
{
    const struct txn_view *v = x->s->v;
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (x->locked[v->write_key[w]])
            add(x, txn_events_commit(x->s, t), v->d + v->write_key[w], RW_READS, held[w - v->writes_at[t]]);
}

/* The write of the key by the initial transaction, if that is an event. */
static uint32_t initial_write(struct slicing *x, uint32_t key)
{
    if (x->s->initial == ID_NONE)
        return RW_INIT;
    if (x->first_of[key] == ID_NONE)
        x->first_of[key] = add(x, x->s->initial, key, RW_WRITES, RW_INIT);
    return x->first_of[key];
}

static void lay_out(struct slicing *x, uint32_t *held)
{
    const struct txn_view *v = x->s->v;
    struct rw *rw = &x->s->rw;
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t from = rw->a;
        rw->first[txn_events_begin(x->s, t)] = rw->a;
        add_reads(x, t);
        if (x->locked)
            lock(x, t, held);
        rw->first[txn_events_commit(x->s, t)] = x->s->points == 1 ? from : rw->a;
        add_writes(x, t, from);
        if (x->locked)
            unlock(x, t, held);
    }
    for (uint32_t e = x->s->points * v->n; e < rw->n; e++)
        rw->first[e] = rw->a;
    for (uint32_t a = 0, end = rw->a; a < end; a++)
        if ((rw->kind[a] & RW_READS) && rw->var[a] < v->d)
            rw->src[a] = rw->src[a] != TXN_INIT ? x->access_of[rw->src[a]] : initial_write(x, rw->var[a]);
    rw->first[rw->n] = rw->a;
}

/* ---- the writes by variable and thread ---- */

static void group_writes(struct rw *rw, struct mem *m)
{
    uint32_t *key = mem_new(m, uint32_t, (size_t)rw->a + 1), groups = 0;
    for (uint32_t a = 0; a < rw->a; a++)
        key[a] = rw->kind[a] & RW_WRITES ? rw->var[a] : ID_NONE;
    struct groups by = group_by(key, rw->a, rw->d, m);
    rw->written = by.list;
    rw->idx = mem_new(m, uint32_t, (size_t)rw->writes + 1);
    rw->groups_of = mem_new(m, uint32_t, (size_t)rw->d + 1);
    rw->groups = mem_new(m, struct rw_group, (size_t)rw->writes + 1);
    for (uint32_t x = 0; x < rw->d; x++) {
        rw->groups_of[x] = groups;
        for (uint32_t i = by.at[x]; i < by.at[x + 1]; i++) {
            uint32_t e = rw->event[by.list[i]], thread = rw->thread[e];
            rw->idx[i] = e - rw->base[thread];
            if (i == by.at[x] || rw->groups[groups - 1].thread != thread)
                rw->groups[groups++] = (struct rw_group){thread, i};
        }
    }
    rw->groups_of[rw->d] = groups;
    rw->groups[groups] = (struct rw_group){ID_NONE, rw->writes};
    mem_free(m, by.at);
    mem_free(m, key);
}

/* ---- base order ---- */

/* Where the points in time lie: behind these numbers of ended transactions. cut[i]: so many such places are below
 * i. */
static uint32_t *cuts(const struct txn_view *v, uint32_t *count, struct mem *m)
{
    uint32_t *cut = mem_new_zero(m, uint32_t, (size_t)v->ended_count + 2);
    for (uint32_t t = 0; t < v->n; t++)
        cut[v->ended_before[t] + 1] = 1;
    cut[1] = 0; /* nothing ended before */
    for (uint32_t i = 0; i <= v->ended_count; i++)
        cut[i + 1] += cut[i];
    *count = cut[v->ended_count + 1];
    return cut;
}

static void place_threads(struct txn_events *s)
{
    const struct txn_view *v = s->v;
    struct rw *rw = &s->rw;
    for (uint32_t c = 0; c <= v->k; c++)
        rw->base[c] = s->points * v->base[c];
    rw->base[rw->k] = rw->n;
    if (s->initial != ID_NONE)
        rw->base[rw->k - 1] = s->initial;
    for (uint32_t e = 0; e < rw->n; e++) {
        bool is_txn = txn_events_is_txn(s, e);
        rw->thread[e] = is_txn ? v->chain[e / s->points] : e == s->initial ? rw->k - 1 : v->k;
        rw->op[e] = is_txn ? v->op[e / s->points] : ID_NONE;
    }
}

/* Edges between chains, by the event they lead to: base order, and the orders of versions that lists show. */
static void connect(struct txn_events *s, const uint32_t *cut, struct mem *m)
{
    const struct txn_view *v = s->v;
    struct edges x = {.m = m};
    uint32_t moment = s->points * v->n;
    for (uint32_t t = 0; t < v->n; t++) {
        for (uint32_t i = v->before.at ? v->before.at[t] : 0; v->before.at && i < v->before.at[t + 1]; i++)
            edges_add(&x, txn_events_commit(s, v->before.list[i]), txn_events_begin(s, t));
        for (uint32_t w = v->version ? v->writes_at[t] : 0; v->version && w < v->writes_at[t + 1]; w++) {
            uint32_t before = txn_version_before(v, w);
            if (before != ID_NONE)
                edges_add(&x, txn_events_commit(s, before), txn_events_commit(s, t));
        }
        if (cut && v->ended_before[t])
            edges_add(&x, moment + cut[v->ended_before[t]], txn_events_begin(s, t));
    }
    for (uint32_t c = 0; s->initial != ID_NONE && c < v->k; c++)
        if (v->base[c] < v->base[c + 1])
            edges_add(&x, s->initial, txn_events_begin(s, v->base[c]));
    for (uint32_t i = 0; cut && i < v->ended_count; i++)
        if (cut[i + 1] < s->moments) /* else no transaction began later */
            edges_add(&x, txn_events_commit(s, v->ended[i]), moment + cut[i + 1]);
    if (x.to.n)
        s->rw.across = &s->across;
    s->across.last = edges_into(&x, s->rw.n);
}

/* ---- all of it ---- */

static bool *several_writers(const struct txn_view *v, struct mem *m)
{
    bool *one = mem_new_zero(m, bool, (size_t)v->d + 1), *several = mem_new_zero(m, bool, (size_t)v->d + 1);
    for (uint32_t w = 0; w < v->writes_at[v->n]; w++) {
        several[v->write_key[w]] = one[v->write_key[w]];
        one[v->write_key[w]] = true;
    }
    mem_free(m, one);
    return several;
}

static uint32_t most_writes(const struct txn_view *v)
{
    uint32_t most = 0;
    for (uint32_t t = 0; t < v->n; t++)
        most = v->writes_at[t + 1] - v->writes_at[t] > most ? v->writes_at[t + 1] - v->writes_at[t] : most;
    return most;
}

void txn_events_init(struct txn_events *s, const struct txn_view *v, unsigned level, struct mem *m)
{
    bool locks = level & COND_SI;
    *s = (struct txn_events){
        .v = v, .points = level & (COND_PC | COND_SI) ? 2 : 1, .two_sources = ID_NONE, .initial = ID_NONE};
    uint32_t *cut = v->ended_before && v->n ? cuts(v, &s->moments, m) : NULL;
    struct rw *rw = &s->rw;
    bool starts = level & COND_PSI;
    rw->n = s->points * v->n + s->moments + starts;
    rw->k = v->k + (s->moments > 0) + starts;
    if (starts)
        s->initial = rw->n - 1;
    rw->keys = v->d;
    rw->d = locks ? 2 * v->d : v->d;
    rw->circular = rw->thin = rw->twice[0] = rw->twice[1] = ID_NONE;
    size_t writes = v->writes_at[v->n], most = v->reads_at[v->n] + (locks ? 3 : 1) * writes + (starts ? v->d : 0) + 1;
    rw->base = mem_new(m, uint32_t, (size_t)rw->k + 1);
    rw->thread = mem_new(m, uint32_t, (size_t)rw->n + 1);
    rw->op = mem_new(m, uint32_t, (size_t)rw->n + 1);
    rw->does = mem_new_zero(m, uint8_t, (size_t)rw->n + 1);
    rw->first = mem_new(m, uint32_t, (size_t)rw->n + 1);
    rw->event = mem_new(m, uint32_t, most);
    rw->var = mem_new(m, uint32_t, most);
    rw->src = mem_new(m, uint32_t, most);
    rw->kind = mem_new(m, uint8_t, most);
    place_threads(s);
    struct slicing x = {.s = s,
                        .m = m,
                        .seen = mem_new_zero(m, uint32_t, (size_t)v->d + 1),
                        .access_of = mem_new(m, uint32_t, writes + 1),
                        .first_of = starts ? mem_new_ids(m, (size_t)v->d + 1) : NULL,
                        .locked = locks ? several_writers(v, m) : NULL};
    uint32_t *held = mem_new(m, uint32_t, (size_t)most_writes(v) + 1);
    lay_out(&x, held);
    group_writes(rw, m);
    connect(s, cut, m);
    mem_free(m, held);
    mem_free(m, x.seen);
    mem_free(m, x.access_of);
    mem_free(m, x.first_of);
    mem_free(m, x.locked);
    mem_free(m, cut);
}
