/* SPDX-License-Identifier: Apache-2.0 */
/* The demands of the reads of each write; causal.h defines them.
 *
 * Variables are taken one by one, and of one its writes: few numbers, which fit into the cache. Nearly always the
 * readers of a write know of no later write of the variable. So before one is looked up, a bit for each stretch of
 * events tells whether there are writes of the variable at all. */
#include "base/prefetch.h"
#include "memory/causal.h"
#include "memory/chain_clock.h"

#include <string.h>

struct reader {
    uint32_t row, thread, position;
    uint32_t next; /* of the same write, or ID_NONE */
};

/* Is the i-th write, the one at position `mine` of thread t, a cause of write `other`, which it demands? The row that
 * tells is far away, so it is asked for, and some checks wait for theirs at a time. */
struct check {
    uint32_t i, t, mine, other;
};

enum { STRETCH = 64, CHECKS = 64 };

struct variable { /* one variable x: the numbers of its writes, side by side */
    struct causal *c;
    struct groups reads; /* by variable */
    uint32_t x, first;   /* its i-th write is v->idx[first + i] */
    uint32_t count;
    uint32_t *write; /* the i-th write, ascending */
    uint32_t *past;  /* its row */
    uint32_t *heard; /* its first reader, or ID_NONE; behind the last write: that of the initial value */
    struct reader *readers;
    uint32_t *known;  /* a row: the joined clocks of the readers of one write */
    uint64_t *marked; /* bit by bit, of STRETCH events: has one written x? */
    struct check checks[CHECKS];
    uint32_t waiting; /* so many are open */
};

/* ---- stretches ---- */

static uint64_t *mark_word(const struct variable *s, uint32_t event)
{
    return &s->marked[event / STRETCH / 64];
}

/* Has one of the events from .. to perhaps written x? */
static bool may_write(const struct variable *s, uint32_t from, uint32_t to)
{
    uint32_t a = from / STRETCH, b = to / STRETCH;
    return a / 64 != b / 64 || s->marked[a / 64] >> a % 64 << (63 - (b - a));
}

static void mark_writes(struct variable *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        *mark_word(s, s->write[i]) |= (uint64_t)1 << s->write[i] / STRETCH % 64;
}

static void unmark_writes(struct variable *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        *mark_word(s, s->write[i]) = 0;
}

/* ---- the accesses of a variable ---- */

static void gather_writes(struct variable *s, uint32_t x)
{
    const struct causal *c = s->c;
    const struct rw *v = c->v;
    s->x = x;
    s->first = rw_writes_from(v, x);
    s->count = 0;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++, s->count++) {
            if (i + CAUSAL_FAR < v->groups[g + 1].from)
                prefetch(&c->past.row_of[rw_write(v, g, i + CAUSAL_FAR)]);
            s->write[s->count] = rw_write(v, g, i);
            s->past[s->count] = c->past.row_of[s->write[s->count]];
        }
}

/* The number of a write of the variable among its writes. */
static uint32_t number_of(const struct variable *s, uint32_t write)
{
    uint32_t low = 0;
    for (uint32_t n = s->count; n > 1;) {
        uint32_t half = n / 2;
        low += s->write[low + half] <= write ? half : 0;
        n -= half;
    }
    return low;
}

static void look_ahead_of_read(const struct variable *s, uint32_t i)
{
    const struct causal *c = s->c;
    if (i < s->reads.at[c->v->d]) {
        uint32_t e = s->reads.list[i];
        prefetch(&c->v->src[e]);
        prefetch(&c->v->thread[e]);
        prefetch(&c->past.row_of[e]);
    }
}

/* After gather_writes. */
static void gather_reads(struct variable *s)
{
    const struct rw *v = s->c->v;
    uint32_t from = s->reads.at[s->x], end = s->reads.at[s->x + 1];
    for (uint32_t i = 0; i <= s->count; i++)
        s->heard[i] = ID_NONE;
    for (uint32_t i = from; i < end; i++) {
        uint32_t e = s->reads.list[i];
        look_ahead_of_read(s, i + CAUSAL_FAR);
        if (v->src[e] == RW_THIN)
            continue;
        uint32_t w = v->src[e] == RW_INIT ? s->count : number_of(s, v->src[e]), t = v->thread[e];
        s->readers[i - from] = (struct reader){s->c->past.row_of[e], t, e - v->base[t], s->heard[w]};
        s->heard[w] = i - from;
    }
}

/* Joins the clocks of the readers of the i-th write, which has some, in s->known. */
static void join_readers(struct variable *s, uint32_t i)
{
    const struct causal *c = s->c;
    for (uint32_t r = s->heard[i]; r != ID_NONE; r = s->readers[r].next) {
        const struct reader *reader = &s->readers[r];
        const uint32_t *row = pasts_at(&c->past, reader->row);
        if (r == s->heard[i])
            memcpy(s->known, row, c->v->k * sizeof *row);
        else
            clock_join(s->known, row, c->v->k);
        if (s->known[reader->thread] < reader->position)
            s->known[reader->thread] = reader->position;
    }
}

/* ---- demands ---- */

static bool initial_reads_fine(struct variable *s, uint32_t *later)
{
    const struct rw *v = s->c->v;
    if (s->heard[s->count] == ID_NONE)
        return true;
    join_readers(s, s->count);
    for (uint32_t g = v->groups_of[s->x]; g < v->groups_of[s->x + 1]; g++) {
        uint32_t u = v->groups[g].thread, first = v->idx[v->groups[g].from];
        if (first < s->known[u]) {
            *later = v->base[u] + first;
            return false;
        }
    }
    return true;
}

static void keep_demand(struct causal *c, uint32_t w, struct demand d)
{
    if (c->demand_at[w] == ID_NONE)
        c->demand_at[w] = c->demands.n;
    vec_push(c->m, &c->demands, d);
}

/* False: the write *later is demanded by *source although this is among its causes. */
static bool checks_fine(struct variable *s, uint32_t *source, uint32_t *later)
{
    for (uint32_t i = 0; i < s->waiting; i++) {
        const struct check *check = &s->checks[i];
        if (pasts_at(&s->c->past, s->past[check->other])[check->t] > check->mine) {
            *source = s->write[check->i];
            *later = s->write[check->other];
            return false;
        }
    }
    s->waiting = 0;
    return true;
}

static bool check_soon(struct variable *s, struct check check, uint32_t *source, uint32_t *later)
{
    prefetch(&pasts_at(&s->c->past, s->past[check.other])[check.t]);
    s->checks[s->waiting++] = check;
    return s->waiting < CHECKS || checks_fine(s, source, later);
}

/* The last write of group g that is known, if it is not among the first `done` events of its thread: its number; or
 * ID_NONE. */
static uint32_t unforeseen(const struct variable *s, uint32_t g, uint32_t done)
{
    const struct rw *v = s->c->v;
    uint32_t u = v->groups[g].thread, known = s->known[u];
    if (known <= done || !may_write(s, v->base[u] + done, v->base[u] + known - 1))
        return ID_NONE;
    uint32_t from = v->groups[g].from, count = rw_count_before(v, g, known);
    s->c->stats->lookups++;
    return count && v->idx[from + count - 1] >= done ? from + count - 1 - s->first : ID_NONE;
}

/* The demands of the joined clocks on the i-th write, which is in thread t. */
static bool demands_fine(struct variable *s, uint32_t i, uint32_t t, uint32_t *source, uint32_t *later)
{
    struct causal *c = s->c;
    const struct rw *v = c->v;
    uint32_t mine = v->idx[s->first + i];
    const uint32_t *past = pasts_at(&c->past, s->past[i]);
    for (uint32_t g = v->groups_of[s->x]; g < v->groups_of[s->x + 1]; g++) {
        uint32_t u = v->groups[g].thread, other = unforeseen(s, g, u == t ? mine + 1 : past[u]);
        if (other == ID_NONE)
            continue;
        if (u == t) {
            if (checks_fine(s, source, later)) {
                *source = s->write[i];
                *later = s->write[other];
            }
            return false;
        }
        /* Rows are numbered as they come up: a cause in another thread has a lower one. */
        if (s->past[other] > s->past[i] && !check_soon(s, (struct check){i, t, mine, other}, source, later))
            return false;
        if (c->demand_at)
            keep_demand(c, s->write[i], (struct demand){u, v->idx[s->first + other] + 1});
    }
    return true;
}

static void look_ahead_of_write(const struct variable *s, uint32_t i)
{
    if (i >= s->count || s->heard[i] == ID_NONE)
        return;
    causal_ask_for_row(s->c, s->past[i]);
    for (uint32_t r = s->heard[i]; r != ID_NONE; r = s->readers[r].next)
        causal_ask_for_row(s->c, s->readers[r].row);
}

static bool writes_fine(struct variable *s, struct budget *budget, uint32_t *source, uint32_t *later)
{
    struct causal *c = s->c;
    const struct rw *v = c->v;
    uint32_t i = 0;
    for (uint32_t ahead = 0; ahead < CAUSAL_NEAR; ahead++)
        look_ahead_of_write(s, ahead);
    for (uint32_t g = v->groups_of[s->x]; g < v->groups_of[s->x + 1]; g++)
        for (uint32_t end = v->groups[g + 1].from - s->first; i < end; i++) {
            budget_tick(budget);
            look_ahead_of_write(s, i + CAUSAL_NEAR);
            if (s->heard[i] == ID_NONE)
                continue;
            join_readers(s, i);
            if (!demands_fine(s, i, v->groups[g].thread, source, later))
                return false;
            if (c->demand_at && c->demand_at[s->write[i]] != ID_NONE)
                keep_demand(c, s->write[i], (struct demand){ID_NONE, 0});
        }
    return checks_fine(s, source, later);
}

/* A read of an initial value is the simpler violation, so that it is looked for behind another one, too. */
static bool variables_fine(struct variable *s, struct budget *budget, uint32_t *source, uint32_t *later)
{
    const struct rw *v = s->c->v;
    bool fine = true;
    uint32_t overwritten;
    for (uint32_t x = 0; x < v->d; x++) {
        gather_writes(s, x);
        gather_reads(s);
        if (!initial_reads_fine(s, &overwritten)) {
            *source = RW_INIT;
            *later = overwritten;
            return false;
        }
        if (!fine)
            continue;
        mark_writes(s);
        fine = writes_fine(s, budget, source, later);
        unmark_writes(s);
    }
    return fine;
}

bool causal_demands(struct causal *c, bool keep, struct budget *budget, uint32_t *source, uint32_t *later)
{
    const struct rw *v = c->v;
    struct variable s = {.c = c, .reads = rw_by_variable(v, RW_READS, c->m)};
    uint32_t writes = 0, reads = 0; /* of a variable, at most */
    for (uint32_t x = 0; x < v->d; x++) {
        uint32_t written = rw_writes_from(v, x + 1) - rw_writes_from(v, x), read = s.reads.at[x + 1] - s.reads.at[x];
        writes = written > writes ? written : writes;
        reads = read > reads ? read : reads;
    }
    s.write = mem_new(c->m, uint32_t, writes);
    s.past = mem_new(c->m, uint32_t, writes);
    s.heard = mem_new(c->m, uint32_t, (size_t)writes + 1);
    s.readers = mem_new(c->m, struct reader, reads);
    s.known = mem_new(c->m, uint32_t, v->k);
    s.marked = mem_new_zero(c->m, uint64_t, v->n / STRETCH / 64 + 1);
    c->demand_at = keep ? mem_new_ids(c->m, v->n) : NULL;
    bool fine = variables_fine(&s, budget, source, later);
    groups_free(&s.reads, c->m);
    mem_free(c->m, s.write);
    mem_free(c->m, s.past);
    mem_free(c->m, s.heard);
    mem_free(c->m, s.readers);
    mem_free(c->m, s.known);
    mem_free(c->m, s.marked);
    return fine;
}
