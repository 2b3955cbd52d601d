/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search backwards from a goal. A step of session order or real time is one step over any distance. Those
 * before a transaction are a beginning of its chain, or of the row of all that ended. Each such beginning is entered
 * once: a position tells how much of it has been.
 *
 * Forced orders come in rounds: a transaction that is reached by one waits for the next round. So a cycle has as few of
 * them as possible, of those through the goal. */
#include "transaction/shortest.h"

#include <stdlib.h>

struct searching {
    const struct dependencies *d;
    uint32_t start;
    bool all;         /* also versions and forced orders */
    struct step *via; /* the step from a transaction towards the goal; `to` is ID_NONE while it was not reached */
    VEC(uint32_t) now, next;  /* transactions to go on from: in this round, in the next one */
    uint32_t *entered, ended; /* so much of each chain, and of those that ended, has been reached */
};

static void reach(struct searching *s, assay_rule rule, uint32_t from, uint32_t to, uint32_t forced)
{
    if (s->via[from].to != ID_NONE || (s->all && advance_placed(&s->d->sort, from)))
        return; /* it was reached before, or is on no cycle */
    s->via[from] = (struct step){rule, from, to, forced};
    if (rule == ASSAY_CF)
        vec_push(s->d->m, &s->next, from);
    else
        vec_push(s->d->m, &s->now, from);
}

/* The transactions of the chain up to `end` come before t. */
static void enter(struct searching *s, assay_rule rule, uint32_t chain, uint32_t end, uint32_t t)
{
    uint32_t *entered = &s->entered[chain];
    for (uint32_t u = end; u > *entered; u--)
        reach(s, rule, u - 1, t, ID_NONE);
    *entered = end > *entered ? end : *entered;
}

static void reach_facts(struct searching *s, uint32_t t)
{
    const struct txn_view *v = s->d->v;
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        if (v->reads[i].source != TXN_INIT)
            reach(s, ASSAY_WR, v->writer[v->reads[i].source], t, ID_NONE);
    enter(s, ASSAY_PO, v->chain[t], t, t);
    for (uint32_t i = v->before.at[t]; i < v->before.at[t + 1]; i++) {
        uint32_t before = v->before.list[i];
        bool session = s->d->h->thread[v->op[before]] == s->d->h->thread[v->op[t]];
        enter(s, session ? ASSAY_PO : ASSAY_RT, v->chain[before], before + 1, t);
    }
    for (; v->ended && s->ended < v->ended_before[t]; s->ended++)
        reach(s, ASSAY_RT, v->ended[s->ended], t, ID_NONE);
}

static void reach_orders(struct searching *s, uint32_t t, const struct groups *into)
{
    const struct txn_view *v = s->d->v;
    for (uint32_t w = v->writes_at[t]; v->version && w < v->writes_at[t + 1]; w++) {
        uint32_t before = txn_version_before(v, w);
        if (before != ID_NONE)
            reach(s, ASSAY_VO, before, t, ID_NONE);
    }
    for (uint32_t i = into->at[t]; i < into->at[t + 1]; i++)
        reach(s, ASSAY_CF, s->d->forced.at[into->list[i]].from, t, into->list[i]);
}

static void begin(struct searching *s, uint32_t goal)
{
    const struct txn_view *v = s->d->v;
    for (uint32_t t = 0; t < v->n; t++)
        s->via[t].to = ID_NONE;
    for (uint32_t i = 0; i < v->k; i++)
        s->entered[i] = v->base[i] + (s->all ? s->d->sort.done[i] : 0);
    s->ended = 0;
    vec_clear(&s->now);
    vec_clear(&s->next);
    vec_push(s->d->m, &s->now, goal);
}

/* Is start reached? If it is ID_NONE, all transactions are that can be. */
static bool search(struct searching *s, uint32_t goal, const struct groups *into)
{
    begin(s, goal);
    for (uint32_t i = 0; s->start == ID_NONE || s->via[s->start].to == ID_NONE;) {
        if (i == s->now.n) {
            if (!s->next.n)
                return false;
            i = 0;
            vec_clear(&s->now);
            for (uint32_t j = 0; j < s->next.n; j++)
                vec_push(s->d->m, &s->now, s->next.at[j]);
            vec_clear(&s->next);
        }
        uint32_t t = s->now.at[i++];
        reach_facts(s, t);
        if (s->all)
            reach_orders(s, t, into);
    }
    return true;
}

static struct searching searching_in(const struct dependencies *d, bool all)
{
    return (struct searching){.d = d,
                              .all = all,
                              .via = mem_new(d->m, struct step, (size_t)d->v->n + 1),
                              .entered = mem_new(d->m, uint32_t, (size_t)d->v->k + 1)};
}

/* The steps from start on, up to the goal. */
static struct steps steps_of(const struct searching *s, uint32_t goal)
{
    struct steps path = {0};
    uint32_t t = s->start;
    do {
        vec_push(s->d->m, &path.at, s->via[t]);
        t = s->via[t].to;
    } while (t != goal);
    return path;
}

struct steps shortest_path(const struct dependencies *d, uint32_t from, uint32_t to)
{
    struct searching s = searching_in(d, false);
    s.start = from;
    search(&s, to, NULL);
    return steps_of(&s, to);
}

/* ---- cycles ---- */

enum {
    MOST_STARTS = 256,
    MOST_WORK = 1 << 22
}; /* transactions through which a cycle is sought, at most; their steps */

struct starts {
    VEC(uint32_t) at;
    bool *added;
};

static uint32_t weight(const struct steps *path, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < path->at.n; i++)
        sum += path->at.at[i].rule == ASSAY_CF ? n + 1 : 1;
    return sum;
}

static struct groups forced_into(const struct dependencies *d)
{
    uint32_t *to = mem_new(d->m, uint32_t, (size_t)d->forced.n + 1);
    for (uint32_t i = 0; i < d->forced.n; i++)
        to[i] = d->forced.at[i].to;
    struct groups into = group_by(to, d->forced.n, d->v->n, d->m);
    mem_free(d->m, to);
    return into;
}

static void add_start(const struct dependencies *d, struct starts *s, uint32_t t)
{
    bool more = s->at.n < MOST_STARTS && (uint64_t)s->at.n * d->v->n < MOST_WORK;
    if (!more || s->added[t])
        return;
    s->added[t] = true;
    vec_push(d->m, &s->at, t);
}

struct backward { /* an order that leads back in the file, so far */
    uint32_t distance, to;
};

static int by_distance(const void *left, const void *right)
{
    const struct backward *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance > b->distance ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* The forced orders that lead farthest back come first: files are mostly in the order of commits. */
static void add_forced(const struct dependencies *d, const struct searching *x, struct starts *s)
{
    struct backward *all = mem_new(d->m, struct backward, (size_t)d->forced.n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->forced.n; i++) {
        const struct forced *f = &d->forced.at[i];
        uint32_t from = d->v->op[f->from], to = d->v->op[f->to];
        if (x->via[f->to].to != ID_NONE && x->via[f->from].to != ID_NONE)
            all[n++] = (struct backward){from > to ? from - to : 0, f->to};
    }
    qsort(all, n, sizeof *all, by_distance);
    for (uint32_t i = 0; i < n; i++)
        add_start(d, s, all[i].to);
    mem_free(d->m, all);
}

/* The first one is on a cycle for certain. The others are before it; many of the rest only come after cycles. */
static struct starts starts_of(const struct dependencies *d, struct searching *x, const struct groups *into)
{
    struct starts s = {.added = mem_new_zero(d->m, bool, (size_t)d->v->n + 1)};
    uint32_t on = advance_on_cycle(&d->sort);
    x->start = ID_NONE;
    search(x, on, into);
    add_start(d, &s, on);
    add_forced(d, x, &s);
    for (uint32_t t = 0; t < d->v->n; t++)
        if (x->via[t].to != ID_NONE)
            add_start(d, &s, t);
    return s;
}

struct steps shortest_cycle(const struct dependencies *d)
{
    struct searching s = searching_in(d, true);
    struct groups into = forced_into(d);
    struct starts starts = starts_of(d, &s, &into);
    struct steps best = {0};
    for (uint32_t i = 0; i < starts.at.n; i++) {
        s.start = starts.at.at[i];
        if (!search(&s, s.start, &into))
            continue;
        struct steps found = steps_of(&s, s.start);
        bool better = !best.at.n || weight(&found, d->v->n) < weight(&best, d->v->n);
        struct steps worse = better ? best : found;
        best = better ? found : best;
        vec_free(d->m, &worse.at);
    }
    return best;
}
