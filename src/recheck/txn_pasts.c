/* SPDX-License-Identifier: Apache-2.0 */
/* Pasts along an order that extends base and wr, and the writers that the past of a reader may hold.
 *
 * Idea: transactions are covered by chains, each of which is ordered by the relation. So a past is a beginning of each
 * chain, a row of counts. A transaction goes on the chain that one of its direct predecessors ends: that of its session
 * first. Sessions are chains then, except for unknown transactions, which precede none of their session. Without
 * session order the chains run along wr, and for psi along ww. The rows are computed along the order, for a block of
 * chains at a time, so that the memory is a constant per transaction.
 *
 * The read of x from t1 by t3 is right if no writer of x in the past of t3 comes behind t1 in the order. Of each chain
 * the last writer of x in the past decides, since chains run along the order.
 *
 * Real time: transactions are sorted by their ends. A beginning of them ended before a given one began. The joined row
 * of each beginning is kept, too. In the order all of these come before the transaction, so the rows are there. */
#include "recheck/txn_axioms.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 }; /* chains */

struct writer { /* of a key */
    uint32_t key, chain, index, op;
};

struct pasts {
    struct recheck *x;
    const struct txn_order *o;
    bool closed;                     /* the past of a predecessor is part of the past: not for ra */
    bool along_writes;               /* psi */
    uint32_t chains, *chain, *index; /* of an operation that counts */
    uint32_t *before;                /* its predecessor in its session, or ID_NONE */
    uint32_t *overwrites;            /* of a write: the one before it in the order, or ID_NONE */
    uint32_t *latest; /* recorded knowledge: of a place in sessions.list, the last that counts up to it */

    struct writer *writers; /* by key, chain and index */
    uint32_t writer_n, *of_key;

    uint32_t from, width; /* the block of chains at hand */
    uint32_t *rows;       /* of an operation */

    uint32_t *ended, ended_n; /* by their ends */
    uint32_t *ended_before;   /* of an operation */
    uint32_t *time_rows;      /* of a number of ended ones */
    uint32_t time_done;       /* so many of these rows are there */
};

/* ---- predecessors ---- */

static void find_before(struct pasts *p)
{
    const struct transactions *t = p->x->transactions;
    struct mem *m = p->x->mem;
    p->before = mem_new_ids(m, t->h->n);
    if (t->past)
        p->latest = mem_new(m, uint32_t, t->h->n);
    for (uint32_t s = 0; s < t->h->threads.n; s++)
        for (uint32_t i = t->sessions.at[s], last = ID_NONE; i < t->sessions.at[s + 1]; i++) {
            uint32_t op = t->sessions.list[i];
            p->before[op] = t->base == BASE_NONE ? ID_NONE : last;
            last = txn_precedes(t, op) ? op : last;
            if (p->latest)
                p->latest[i] = last;
        }
    p->overwrites = mem_new_ids(m, t->writes_at[t->h->n]);
    uint32_t *last = mem_new_ids(m, t->keys);
    for (uint32_t i = 0; p->along_writes && i < p->o->count; i++)
        for (uint32_t w = t->writes_at[p->o->ops[i]]; w < t->writes_at[p->o->ops[i] + 1]; w++) {
            p->overwrites[w] = last[t->write_key[w]];
            last[t->write_key[w]] = p->o->ops[i];
        }
    mem_free(m, last);
}

static void sort_ends(struct pasts *p)
{
    const struct transactions *t = p->x->transactions;
    struct mem *m = p->x->mem;
    if (t->base != BASE_REALTIME || !t->h->call || !p->closed)
        return;
    struct txn_moment *at;
    uint32_t n = txn_moments(t, m, &at);
    p->ended = mem_new(m, uint32_t, t->count);
    p->ended_before = mem_new_zero(m, uint32_t, t->h->n);
    for (uint32_t i = 0; i < n; i++)
        if (at[i].ends)
            p->ended[p->ended_n++] = at[i].op;
        else
            p->ended_before[at[i].op] = p->ended_n;
    mem_free(m, at);
}

/* ---- chains ---- */

/* Is it the last one of its session that counts? Then it may be on the chain of the session though it is unknown. */
static bool is_last(const struct transactions *t, uint32_t op)
{
    uint32_t end = t->sessions.at[t->h->thread[op] + 1];
    for (uint32_t i = t->sessions.at[t->h->thread[op]] + t->place[op] + 1; i < end; i++)
        if (t->counts[t->sessions.list[i]])
            return false;
    return true;
}

static bool extend(struct pasts *p, uint32_t *end, uint32_t op, uint32_t predecessor)
{
    if (predecessor == ID_NONE || predecessor == FROM_INITIAL || end[p->chain[predecessor]] != predecessor)
        return false;
    p->chain[op] = p->chain[predecessor];
    p->index[op] = p->index[predecessor] + 1;
    end[p->chain[op]] = op;
    return true;
}

static bool find_chain(struct pasts *p, uint32_t *end, uint32_t op)
{
    const struct transactions *t = p->x->transactions;
    if ((t->outcome[op] != OUTCOME_UNKNOWN || is_last(t, op)) && extend(p, end, op, p->before[op]))
        return true;
    if (t->base != BASE_NONE)
        return false; /* the ends of sessions are for their next transactions */
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++)
        if (extend(p, end, op, t->reads[i].source))
            return true;
    for (uint32_t w = t->writes_at[op]; w < t->writes_at[op + 1]; w++)
        if (extend(p, end, op, p->overwrites[w]))
            return true;
    return false;
}

static void cover(struct pasts *p)
{
    struct mem *m = p->x->mem;
    uint32_t *end = mem_new(m, uint32_t, p->o->count);
    p->chain = mem_new(m, uint32_t, p->x->h->n);
    p->index = mem_new(m, uint32_t, p->x->h->n);
    for (uint32_t i = 0; i < p->o->count; i++) {
        uint32_t op = p->o->ops[i];
        if (find_chain(p, end, op))
            continue;
        p->chain[op] = p->chains;
        p->index[op] = 0;
        end[p->chains++] = op;
    }
    mem_free(m, end);
}

static int compare_writers(const void *left, const void *right)
{
    const struct writer *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void sort_writers(struct pasts *p)
{
    const struct transactions *t = p->x->transactions;
    struct mem *m = p->x->mem;
    p->writers = mem_new(m, struct writer, t->writes_at[t->h->n]);
    p->of_key = mem_new_zero(m, uint32_t, (size_t)t->keys + 1);
    for (uint32_t i = 0; i < p->o->count; i++) {
        uint32_t op = p->o->ops[i];
        for (uint32_t w = t->writes_at[op]; w < t->writes_at[op + 1]; w++)
            p->writers[p->writer_n++] = (struct writer){t->write_key[w], p->chain[op], p->index[op], op};
    }
    if (p->writer_n)
        qsort(p->writers, p->writer_n, sizeof *p->writers, compare_writers);
    for (uint32_t i = 0; i < p->writer_n; i++)
        p->of_key[p->writers[i].key + 1] = i + 1;
    for (uint32_t key = 0; key < t->keys; key++)
        if (p->of_key[key + 1] < p->of_key[key])
            p->of_key[key + 1] = p->of_key[key];
}

/* ---- rows ---- */

static uint32_t *row(const struct pasts *p, uint32_t op)
{
    return p->rows + (size_t)op * p->width;
}

static void join(const struct pasts *p, uint32_t *mine, const uint32_t *theirs)
{
    for (uint32_t c = 0; c < p->width; c++)
        mine[c] = mine[c] > theirs[c] ? mine[c] : theirs[c];
}

/* The predecessor, if there is one, and its past. */
static void add(const struct pasts *p, uint32_t *mine, uint32_t predecessor)
{
    if (predecessor == ID_NONE || predecessor == FROM_INITIAL)
        return;
    uint32_t c = p->chain[predecessor] - p->from;
    if (p->closed)
        join(p, mine, row(p, predecessor));
    if (p->chain[predecessor] >= p->from && c < p->width && mine[c] <= p->index[predecessor])
        mine[c] = p->index[predecessor] + 1;
}

/* The transactions that ended before it began. */
static void add_ended(struct pasts *p, uint32_t *mine, uint32_t op)
{
    for (; p->time_done < p->ended_before[op]; p->time_done++) {
        uint32_t *next = p->time_rows + (size_t)(p->time_done + 1) * p->width;
        memcpy(next, next - p->width, p->width * sizeof *next);
        add(p, next, p->ended[p->time_done]);
    }
    join(p, mine, p->time_rows + (size_t)p->ended_before[op] * p->width);
}

static void compute_row(struct pasts *p, uint32_t op)
{
    const struct transactions *t = p->x->transactions;
    uint32_t *mine = row(p, op), k = t->h->threads.n;
    memset(mine, 0, p->width * sizeof *mine);
    add(p, mine, p->before[op]);
    if (p->time_rows)
        add_ended(p, mine, op);
    for (uint32_t s = 0; t->past && s < k; s++) {
        uint32_t known = t->past[(size_t)op * k + s];
        if (known)
            add(p, mine, p->latest[t->sessions.at[s] + known - 1]);
    }
    for (uint32_t i = t->reads_at[op]; p->closed && i < t->reads_at[op + 1]; i++)
        add(p, mine, t->reads[i].source);
    for (uint32_t w = t->writes_at[op]; p->along_writes && w < t->writes_at[op + 1]; w++)
        add(p, mine, p->overwrites[w]);
}

/* ---- reads ---- */

static uint32_t first_of_chain(const struct pasts *p, uint32_t key, uint32_t chain, uint32_t index)
{
    uint32_t low = p->of_key[key], high = p->of_key[key + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct writer *w = &p->writers[middle];
        if (w->chain < chain || (w->chain == chain && w->index < index))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool check_read(const struct pasts *p, uint32_t op, const struct txn_read *r)
{
    const uint32_t *mine = row(p, op);
    uint32_t end = p->of_key[r->key + 1], i = first_of_chain(p, r->key, p->from, 0);
    while (i < end && p->writers[i].chain < p->from + p->width) {
        uint32_t chain = p->writers[i].chain, past = first_of_chain(p, r->key, chain, mine[chain - p->from]);
        budget_tick(p->x->budget);
        if (past > i && txn_place(p->o, p->writers[past - 1].op) > txn_place(p->o, r->source))
            return txn_refuse_stale(p->x, op, r->source, p->writers[past - 1].op);
        i = first_of_chain(p, r->key, chain + 1, 0);
    }
    return true;
}

static bool check_block(struct pasts *p)
{
    const struct transactions *t = p->x->transactions;
    p->time_done = 0;
    if (p->time_rows)
        memset(p->time_rows, 0, p->width * sizeof *p->time_rows);
    for (uint32_t i = 0; i < p->o->count; i++) {
        uint32_t op = p->o->ops[i];
        compute_row(p, op);
        for (uint32_t r = t->reads_at[op]; r < t->reads_at[op + 1]; r++)
            if (!check_read(p, op, &t->reads[r]))
                return false;
    }
    return true;
}

bool recheck_txn_pasts(struct recheck *x, const struct txn_order *o)
{
    struct pasts p = {.x = x, .o = o, .closed = !(x->conditions & COND_RA), .along_writes = x->conditions & COND_PSI};
    find_before(&p);
    sort_ends(&p);
    cover(&p);
    sort_writers(&p);
    uint32_t most = p.chains < BLOCK ? p.chains : BLOCK;
    p.rows = mem_new(x->mem, uint32_t, mem_product(x->h->n, most));
    if (p.ended)
        p.time_rows = mem_new(x->mem, uint32_t, mem_product((size_t)p.ended_n + 1, most));
    for (p.from = 0; p.from < p.chains; p.from += most) {
        p.width = p.chains - p.from < most ? p.chains - p.from : most;
        if (!check_block(&p))
            return false;
    }
    return true;
}
