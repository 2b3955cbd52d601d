/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/guessed_times.h"

#include <stdlib.h>

enum {
    PASSES = 3,   /* with the spans of the history */
    NARROWED = 4, /* passes with narrowed ones */
    CUT = 4       /* one part in so many is cut off each time */
};

struct bound { /* of a write */
    uint32_t at, value, second;
};

struct guessing {
    const struct rw *v;
    const struct txn_events_order *sorted;
    uint32_t *start, *end;     /* of an event */
    uint32_t *read_from;       /* of a write, and behind them of a variable's initial value: a reader starts so late */
    uint32_t *read_until;      /* and all readers end so early */
    struct bound *starts;      /* the writes of a variable by start, with the least end of those from here on */
    struct bound *ends;        /* by end, with the greatest of the starts of readers, and of the starts, up to here */
    struct bound *read_starts; /* by the start of a reader, with the least end from here on */
    bool changed;
};

static void raise_start(struct guessing *x, uint32_t e, uint32_t start)
{
    start = start < x->end[e] ? start : x->end[e];
    if (start <= x->start[e])
        return;
    x->start[e] = start;
    x->changed = true;
}

static void lower_end(struct guessing *x, uint32_t e, uint32_t end)
{
    end = end > x->start[e] ? end : x->start[e];
    if (end >= x->end[e])
        return;
    x->end[e] = end;
    x->changed = true;
}

/* ---- along edges ---- */

typedef void edge(struct guessing *x, uint32_t from, uint32_t to);

static void forwards(struct guessing *x, uint32_t from, uint32_t to)
{
    raise_start(x, to, x->start[from]);
}

static void backwards(struct guessing *x, uint32_t from, uint32_t to)
{
    lower_end(x, from, x->end[to]);
}

static void edges_to(struct guessing *x, uint32_t e, edge *narrow)
{
    const struct rw *v = x->v;
    uint32_t count = 0;
    if (e > v->base[v->thread[e]])
        narrow(x, e - 1, e);
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN)
            narrow(x, rw_event(v, v->src[a]), e);
    const uint32_t *before = v->across ? across_before(v, e, &count) : NULL;
    for (uint32_t i = 0; i < count; i++)
        narrow(x, before[i], e);
}

static void along_edges(struct guessing *x)
{
    for (uint32_t i = 0; i < x->v->n; i++)
        edges_to(x, x->sorted->order[i], forwards);
    for (uint32_t i = x->v->n; i-- > 0;)
        edges_to(x, x->sorted->order[i], backwards);
}

/* ---- by reads ---- */

static int by_place(const void *left, const void *right)
{
    const struct bound *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* How many of the bounds are less. */
static uint32_t less(const struct bound *bounds, uint32_t n, uint32_t at)
{
    uint32_t low = 0;
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        if (bounds[middle].at < at)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static void sort_least(struct bound *bounds, uint32_t n)
{
    qsort(bounds, n, sizeof *bounds, by_place);
    for (uint32_t i = n; i-- > 1;)
        if (bounds[i].value < bounds[i - 1].value)
            bounds[i - 1].value = bounds[i].value;
}

static void sort_greatest(struct bound *bounds, uint32_t n)
{
    qsort(bounds, n, sizeof *bounds, by_place);
    for (uint32_t i = 1; i < n; i++) {
        if (bounds[i - 1].value > bounds[i].value)
            bounds[i].value = bounds[i - 1].value;
        if (bounds[i - 1].second > bounds[i].second)
            bounds[i].second = bounds[i - 1].second;
    }
}

static uint32_t version_read(const struct rw *v, uint32_t a)
{
    return v->src[a] == RW_INIT ? v->a + v->var[a] : v->src[a];
}

static bool reads_version(const struct rw *v, uint32_t a)
{
    return (v->kind[a] & RW_READS) && v->src[a] != RW_THIN;
}

/* The initial value is a write before all others. */
static void sort_writes(struct guessing *x, uint32_t var, uint32_t from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = x->v->written[from + i], e = rw_event(x->v, w);
        x->starts[i] = (struct bound){.at = x->start[e], .value = x->end[e]};
        x->ends[i] = (struct bound){.at = x->end[e], .value = x->read_from[w], .second = x->start[e]};
        x->read_starts[i] = (struct bound){.at = x->read_from[w], .value = x->end[e]};
    }
    x->ends[n] = (struct bound){.value = x->read_from[x->v->a + var]};
    sort_least(x->starts, n);
    sort_greatest(x->ends, n + 1);
    sort_least(x->read_starts, n);
}

static void narrow_write(struct guessing *x, uint32_t w, uint32_t n)
{
    uint32_t e = rw_event(x->v, w);
    uint32_t later = less(x->starts, n, x->end[e] + 1), earlier = less(x->ends, n + 1, x->start[e]);
    uint32_t before_reader = less(x->ends, n + 1, x->read_from[w]);
    uint32_t read_later = less(x->read_starts, n, x->end[e] + 1);
    if (later < n)
        x->read_until[w] = x->starts[later].value;
    if (earlier)
        raise_start(x, e, x->ends[earlier - 1].value);
    if (before_reader)
        raise_start(x, e, x->ends[before_reader - 1].second);
    if (read_later < n)
        lower_end(x, e, x->read_starts[read_later].value);
}

static void by_reads(struct guessing *x, struct budget *budget)
{
    const struct rw *v = x->v;
    for (uint32_t w = 0; w < v->a + v->d; w++) {
        x->read_from[w] = 0;
        x->read_until[w] = UINT32_MAX;
    }
    for (uint32_t a = 0; a < v->a; a++)
        if (reads_version(v, a) && x->start[rw_event(v, a)] > x->read_from[version_read(v, a)])
            x->read_from[version_read(v, a)] = x->start[rw_event(v, a)];
    for (uint32_t var = 0; var < v->d; var++) {
        uint32_t from = rw_writes_from(v, var), n = rw_writes_from(v, var + 1) - from;
        if (!n)
            continue;
        sort_writes(x, var, from, n);
        x->read_until[v->a + var] = x->starts[0].value;
        for (uint32_t i = 0; i < n; i++) {
            narrow_write(x, v->written[from + i], n);
            budget_tick(budget);
        }
    }
    for (uint32_t a = 0; a < v->a; a++)
        if (reads_version(v, a))
            lower_end(x, rw_event(v, a), x->read_until[version_read(v, a)]);
}

/* ---- all of it ---- */

static void pass(struct guessing *x, struct budget *budget)
{
    x->changed = false;
    along_edges(x);
    by_reads(x, budget);
}

/* In places among the transactions that ended, from 1 on. Points in time get theirs from the edges. */
static void open_spans(struct guessing *x, const struct txn_events *s)
{
    const struct txn_view *v = s->v;
    for (uint32_t e = 0; e < x->v->n; e++) {
        x->start[e] = txn_events_is_txn(s, e) ? v->ended_before[e / s->points] + 1 : 1;
        x->end[e] = v->ended_count + 1;
    }
    for (uint32_t i = 0; i < v->ended_count; i++)
        for (uint32_t e = txn_events_begin(s, v->ended[i]); e <= txn_events_commit(s, v->ended[i]); e++)
            x->end[e] = i + 1;
}

static void narrow_all(struct guessing *x)
{
    for (uint32_t e = 0; e < x->v->n; e++) {
        uint32_t cut = (x->end[e] - x->start[e]) / CUT;
        x->start[e] += cut / 2;
        x->end[e] -= cut - cut / 2;
    }
}

static uint32_t *middles(const struct guessing *x, const struct txn_events *s, struct mem *m)
{
    uint32_t *middle = mem_new(m, uint32_t, (size_t)x->v->n + 1);
    for (uint32_t e = 0; e < x->v->n; e++)
        middle[e] = x->start[e] + x->end[e];
    for (uint32_t t = 0; s->points == 2 && t < s->v->n; t++) {
        uint32_t begin = txn_events_begin(s, t), commit = txn_events_commit(s, t);
        middle[begin] = 2 * x->end[begin] < middle[commit] ? 2 * x->end[begin] : middle[commit];
    }
    return middle;
}

uint32_t *guessed_times(const struct txn_events *s, const struct txn_events_order *sorted, struct mem *m,
                        struct budget *budget)
{
    const struct rw *v = &s->rw;
    uint32_t most = 0;
    for (uint32_t var = 0; var < v->d; var++) {
        uint32_t n = rw_writes_from(v, var + 1) - rw_writes_from(v, var);
        most = n > most ? n : most;
    }
    struct guessing x = {.v = v,
                         .sorted = sorted,
                         .start = mem_new(m, uint32_t, (size_t)v->n + 1),
                         .end = mem_new(m, uint32_t, (size_t)v->n + 1),
                         .read_from = mem_new(m, uint32_t, (size_t)v->a + v->d + 1),
                         .read_until = mem_new(m, uint32_t, (size_t)v->a + v->d + 1),
                         .starts = mem_new(m, struct bound, (size_t)most + 1),
                         .ends = mem_new(m, struct bound, (size_t)most + 1),
                         .read_starts = mem_new(m, struct bound, (size_t)most + 1),
                         .changed = true};
    open_spans(&x, s);
    for (int i = 0; i < PASSES && x.changed; i++)
        pass(&x, budget);
    for (int i = 0; i < NARROWED; i++) {
        narrow_all(&x);
        pass(&x, budget);
    }
    uint32_t *guess = middles(&x, s, m);
    void *parts[] = {x.start, x.end, x.read_from, x.read_until, x.starts, x.ends, x.read_starts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(m, parts[i]);
    return guess;
}
