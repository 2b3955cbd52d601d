/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/recorded.h"

#include <stdlib.h>

struct recorded {
    const struct txn_view *v;
    unsigned level;
    uint32_t *order, *place; /* the transactions as recorded; of each: how many come before it */
    uint32_t *ended_by;      /* of a number of ended transactions: a snapshot that has them all is at least so large */
    uint32_t *snapshot;      /* of a transaction: the size of its snapshot */
    uint32_t *last;          /* of a key: its latest write so far, or TXN_INIT */
    uint32_t *next;          /* of a write, and behind them of a key: the place of the next writer of the key */
};

/* ---- the candidate ---- */

struct stamped {
    int64_t time;
    uint32_t op, txn;
};

static int as_recorded(const void *left, const void *right)
{
    const struct stamped *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

/* By their ends: an unknown transaction has none, and counts when it was called. */
static uint32_t *by_times(const struct txn_view *v, const history *h, struct mem *m)
{
    struct stamped *all = mem_new(m, struct stamped, (size_t)v->n + 1);
    uint32_t *order = mem_new(m, uint32_t, (size_t)v->n + 1);
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t op = v->op[t];
        all[t] = (struct stamped){history_pending(h, op) ? h->call[op] : h->ret[op], op, t};
    }
    qsort(all, v->n, sizeof *all, as_recorded);
    for (uint32_t i = 0; i < v->n; i++)
        order[i] = all[i].txn;
    mem_free(m, all);
    return order;
}

uint32_t *recorded_order(const struct txn_view *v, const history *h, struct mem *m)
{
    if (h->call)
        return by_times(v, h, m);
    struct groups by = group_by(v->op, v->n, h->n, m);
    mem_free(m, by.at);
    return by.list;
}

static void bound_ended(struct recorded *x)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < x->v->ended_count; i++) {
        uint32_t place = x->place[x->v->ended[i]];
        most = place >= most ? place + 1 : most;
        x->ended_by[i + 1] = most;
    }
}

/* ---- bounds ---- */

/* A snapshot with the transaction in it. */
static uint32_t with(const struct recorded *x, uint32_t size, uint32_t t)
{
    return x->place[t] >= size ? x->place[t] + 1 : size;
}

/* Of the snapshot of t: with its predecessors in base order. */
static uint32_t with_base(const struct recorded *x, uint32_t t)
{
    const struct txn_view *v = x->v;
    uint32_t size = t > v->base[v->chain[t]] ? with(x, 0, t - 1) : 0;
    for (uint32_t i = v->before.at ? v->before.at[t] : 0; v->before.at && i < v->before.at[t + 1]; i++)
        size = with(x, size, v->before.list[i]);
    if (x->ended_by && x->ended_by[v->ended_before[t]] > size)
        size = x->ended_by[v->ended_before[t]];
    return size;
}

/* And with the earlier writers, as the level asks. False: a version that a list shows before one of t comes later. */
static bool with_writers(const struct recorded *x, uint32_t t, uint32_t *size)
{
    const struct txn_view *v = x->v;
    if (x->level & COND_SER)
        *size = *size > x->place[t] ? *size : x->place[t];
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++) {
        uint32_t before = v->version ? txn_version_before(v, w) : ID_NONE, last = x->last[v->write_key[w]];
        if (before != ID_NONE && x->place[before] > x->place[t])
            return false;
        if ((x->level & COND_SI) && last != TXN_INIT)
            *size = with(x, *size, v->writer[last]);
    }
    return true;
}

/* Has t a snapshot? */
static bool begins(struct recorded *x, uint32_t t)
{
    const struct txn_view *v = x->v;
    uint32_t least = with_base(x, t), most = x->place[t];
    if (!with_writers(x, t, &least))
        return false;
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
        const struct txn_read *r = &v->reads[i];
        bool initial = r->source == TXN_INIT;
        uint32_t next = x->next[initial ? v->writes_at[v->n] + r->key : r->source];
        least = initial ? least : with(x, least, v->writer[r->source]);
        most = next < most ? next : most;
    }
    x->snapshot[t] = most;
    return least <= most;
}

static void commits(struct recorded *x, uint32_t t)
{
    const struct txn_view *v = x->v;
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++) {
        uint32_t key = v->write_key[w], last = x->last[key];
        x->next[last == TXN_INIT ? v->writes_at[v->n] + key : last] = x->place[t];
        x->last[key] = w;
    }
}

/* ---- the witness ---- */

/* pc, si: each begins behind the last commit of its snapshot. */
static void write_points(const struct recorded *x, struct evidence *ev, struct mem *m)
{
    const struct txn_view *v = x->v;
    struct groups starting = group_by(x->snapshot, v->n, (size_t)v->n + 1, m);
    for (uint32_t i = 0; i < v->n; i++) {
        for (uint32_t j = starting.at[i]; j < starting.at[i + 1]; j++)
            evidence_place(ev, v->op[starting.list[j]]);
        evidence_place(ev, v->op[x->order[i]]);
    }
    groups_free(&starting, m);
}

static void write_witness(const struct recorded *x, struct job *job)
{
    struct evidence *ev = &job->out->evidence;
    ev->witness = true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    if (job->model->conditions & (COND_PC | COND_SI)) {
        write_points(x, ev, job->mem);
        return;
    }
    for (uint32_t i = 0; i < x->v->n; i++)
        evidence_place(ev, x->v->op[x->order[i]]);
}

bool recorded_explains(struct job *job, const struct txn_view *v, unsigned level)
{
    struct mem *m = job->mem;
    uint32_t writes = v->writes_at[v->n];
    struct recorded x = {.v = v,
                         .level = level,
                         .order = recorded_order(v, job->h, m),
                         .place = mem_new(m, uint32_t, (size_t)v->n + 1),
                         .snapshot = mem_new(m, uint32_t, (size_t)v->n + 1),
                         .last = mem_new_ids(m, (size_t)v->d + 1),
                         .next = mem_new_ids(m, (size_t)writes + v->d + 1)};
    bool fine = true;
    job_tries(job, "the recorded order");
    for (uint32_t i = 0; i < v->n; i++)
        x.place[x.order[i]] = i;
    if (v->ended_before) {
        x.ended_by = mem_new_zero(m, uint32_t, (size_t)v->ended_count + 1);
        bound_ended(&x);
    }
    for (uint32_t i = 0; i < v->n && fine; i++) {
        fine = begins(&x, x.order[i]);
        commits(&x, x.order[i]);
        budget_tick(job->budget);
    }
    if (fine)
        job->out->verdict = ASSAY_CONSISTENT;
    if (fine && job->witness)
        write_witness(&x, job);
    uint32_t *parts[] = {x.order, x.place, x.snapshot, x.last, x.next, x.ended_by};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(m, parts[i]);
    return fine;
}
