/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/causal.h"

#include "base/prefetch.h"
#include "memory/chain_clock.h"

#include <string.h>

static uint32_t *demand_row(const struct causal *c, uint32_t r)
{
    return c->demands + (size_t)r * c->v->k;
}

enum { NEAR = 8, FAR = 16 }; /* so many steps before an event its rows are asked for, and before these their numbers */

static uint32_t *past_row(const struct causal *c, uint32_t row)
{
    return c->past.rows + (size_t)row * c->v->k;
}

static void ask_for_row(const struct causal *c, const uint32_t *row)
{
    prefetch_bytes(row, c->v->k * sizeof *row);
}

/* ---- clocks ---- */

static uint32_t unplaced_source(void *arg, uint32_t e)
{
    struct causal *c = arg;
    return advance_unplaced_source(&c->sort, c->v, e);
}

static bool has_source(const struct rw *v, uint32_t e)
{
    return e < v->n && v->src[e] < RW_THIN;
}

/* After e its thread mostly goes on. */
static void look_ahead(const struct causal *c, uint32_t e)
{
    const struct rw *v = c->v;
    if (has_source(v, e + FAR)) {
        prefetch(&v->thread[v->src[e + FAR]]);
        prefetch(&c->past.row_of[v->src[e + FAR]]);
    }
    if (has_source(v, e + NEAR) && advance_placed(&c->sort, v->src[e + NEAR]))
        ask_for_row(c, pasts_row(&c->past, v->src[e + NEAR]));
}

static void place_causal(void *arg, uint32_t e)
{
    struct causal *c = arg;
    look_ahead(c, e);
    pasts_place(&c->past, e, NULL);
    c->order[c->placed++] = e;
}

bool causal_build(struct causal *c, const struct rw *v, struct mem *m, struct budget *budget, struct stats *stats)
{
    *c = (struct causal){.v = v, .m = m, .stats = stats};
    pasts_init(&c->past, v, PAST_PO, NULL, m);
    c->order = mem_new(m, uint32_t, v->n);
    advance_init(&c->sort, v, m);
    c->acyclic = advance_sort(&c->sort, unplaced_source, place_causal, c, budget);
    stats->steps += c->placed;
    stats->clock_rows += c->past.count;
    return c->acyclic;
}

uint32_t *causal_positions(const struct causal *c)
{
    uint32_t *position = mem_new(c->m, uint32_t, c->v->n);
    for (uint32_t i = 0; i < c->placed; i++)
        position[c->order[i]] = i;
    return position;
}

/* ---- demands ---- */

struct variable { /* one variable x: the numbers of its writes, side by side */
    struct causal *c;
    struct groups reads; /* by variable */
    uint32_t x, first;   /* its i-th write is v->idx[first + i] */
    uint32_t count;
    uint32_t *write; /* the i-th write, ascending */
    uint32_t *past;  /* its row */
    bool *read;      /* has it readers? */
    uint32_t *known; /* rows: the joined clocks of these */
    uint32_t *last;  /* a row, for use in between */
};

static uint32_t *known_row(const struct variable *s, uint32_t i)
{
    return s->known + (size_t)i * s->c->v->k;
}

/* Joins the clock of the read e. */
static void join_clock(const struct causal *c, uint32_t *restrict row, uint32_t e)
{
    const struct rw *v = c->v;
    uint32_t t = v->thread[e], position = e - v->base[t], own = row[t] > position ? row[t] : position;
    clock_join(row, pasts_row(&c->past, e), v->k);
    row[t] = own;
}

static bool initial_reads_fine(const struct variable *s, uint32_t x, uint32_t *later)
{
    const struct rw *v = s->c->v;
    bool any = false;
    for (uint32_t i = s->reads.at[x]; i < s->reads.at[x + 1]; i++) {
        uint32_t e = s->reads.list[i];
        if (v->src[e] != RW_INIT)
            continue;
        if (!any)
            memset(s->last, 0, v->k * sizeof *s->last);
        join_clock(s->c, s->last, e);
        any = true;
    }
    for (uint32_t g = v->groups_of[x]; any && g < v->groups_of[x + 1]; g++) {
        uint32_t u = v->groups[g].thread, first = v->idx[v->groups[g].from];
        if (first < s->last[u]) {
            *later = v->base[u] + first;
            return false;
        }
    }
    return true;
}

static void gather_writes(struct variable *s, uint32_t x)
{
    const struct causal *c = s->c;
    const struct rw *v = c->v;
    s->x = x;
    s->first = rw_writes_from(v, x);
    s->count = 0;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++, s->count++) {
            if (i + FAR < v->groups[g + 1].from)
                prefetch(&c->past.row_of[rw_write(v, g, i + FAR)]);
            s->write[s->count] = rw_write(v, g, i);
            s->past[s->count] = c->past.row_of[s->write[s->count]];
            s->read[s->count] = false;
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

/* The i-th read of all is not far. */
static void look_ahead_of_read(const struct variable *s, uint32_t i)
{
    const struct causal *c = s->c;
    const struct rw *v = c->v;
    if (i + FAR < s->reads.at[v->d]) {
        uint32_t e = s->reads.list[i + FAR];
        prefetch(&v->src[e]);
        prefetch(&v->thread[e]);
        prefetch(&c->past.row_of[e]);
    }
    if (i + NEAR < s->reads.at[v->d])
        ask_for_row(c, pasts_row(&c->past, s->reads.list[i + NEAR]));
}

static void join_reads(struct variable *s)
{
    const struct rw *v = s->c->v;
    for (uint32_t i = s->reads.at[s->x]; i < s->reads.at[s->x + 1]; i++) {
        uint32_t e = s->reads.list[i];
        look_ahead_of_read(s, i);
        if (v->src[e] >= RW_THIN)
            continue;
        uint32_t w = number_of(s, v->src[e]);
        if (!s->read[w])
            memset(known_row(s, w), 0, v->k * sizeof *s->known);
        s->read[w] = true;
        join_clock(s->c, known_row(s, w), e);
    }
}

static void look_ahead_of_write(const struct variable *s, uint32_t i)
{
    if (i < s->count && s->read[i])
        ask_for_row(s->c, past_row(s->c, s->past[i]));
}

/* Of the i-th write, which is in thread t: joined clocks become demands, in s->last. False: *later is demanded although
 * the write is among its causes. */
static bool demands_of(const struct variable *s, uint32_t i, uint32_t t, bool *any, uint32_t *later)
{
    const struct causal *c = s->c;
    const struct rw *v = c->v;
    uint32_t mine = v->idx[s->first + i];
    const uint32_t *known = known_row(s, i), *past = past_row(c, s->past[i]);
    memset(s->last, 0, v->k * sizeof *s->last);
    *any = false;
    for (uint32_t g = v->groups_of[s->x]; g < v->groups_of[s->x + 1]; g++) {
        uint32_t u = v->groups[g].thread, from = v->groups[g].from, done = u == t ? mine + 1 : past[u];
        if (known[u] <= done)
            continue;
        uint32_t count = rw_count_before(v, g, known[u]);
        c->stats->lookups++;
        if (!count || v->idx[from + count - 1] < done)
            continue;
        /* Rows are numbered as they come up: a cause in another thread has a lower one. */
        uint32_t at = from + count - 1, other = s->past[at - s->first];
        if (u == t || (other > s->past[i] && past_row(c, other)[t] > mine)) {
            *later = s->write[at - s->first];
            return false;
        }
        s->last[u] = v->idx[at] + 1;
        *any = true;
    }
    return true;
}

static void keep_demands(struct causal *c, uint32_t w, const uint32_t *row)
{
    if (c->demand_count == c->demand_room) {
        c->demand_room += c->demand_room / 2 + 16;
        c->demands = mem_resize(c->m, c->demands, mem_product((size_t)c->demand_room * c->v->k, sizeof *c->demands));
    }
    c->demand_of[w] = c->demand_count++;
    memcpy(demand_row(c, c->demand_of[w]), row, c->v->k * sizeof *row);
}

/* One variable; false as above. */
static bool variable_fine(struct variable *s, struct budget *budget, uint32_t *source, uint32_t *later)
{
    struct causal *c = s->c;
    const struct rw *v = c->v;
    uint32_t i = 0;
    join_reads(s);
    for (uint32_t ahead = 0; ahead < NEAR; ahead++)
        look_ahead_of_write(s, ahead);
    for (uint32_t g = v->groups_of[s->x]; g < v->groups_of[s->x + 1]; g++)
        for (uint32_t end = v->groups[g + 1].from - s->first; i < end; i++) {
            bool any;
            budget_tick(budget);
            look_ahead_of_write(s, i + NEAR);
            if (!s->read[i])
                continue;
            *source = s->write[i];
            if (!demands_of(s, i, v->groups[g].thread, &any, later))
                return false;
            if (any && c->demand_of)
                keep_demands(c, s->write[i], s->last);
        }
    return true;
}

/* A read of an initial value is the simpler violation, so that it is looked for behind another one, too. */
static bool variables_fine(struct variable *s, struct budget *budget, uint32_t *source, uint32_t *later)
{
    const struct rw *v = s->c->v;
    bool fine = true;
    uint32_t overwritten;
    for (uint32_t x = 0; x < v->d; x++) {
        if (!initial_reads_fine(s, x, &overwritten)) {
            *source = RW_INIT;
            *later = overwritten;
            return false;
        }
        if (!fine)
            continue;
        gather_writes(s, x);
        fine = variable_fine(s, budget, source, later);
    }
    return fine;
}

bool causal_demands(struct causal *c, bool keep, struct budget *budget, uint32_t *source, uint32_t *later)
{
    const struct rw *v = c->v;
    uint32_t most = 0;
    for (uint32_t x = 0; x < v->d; x++) {
        uint32_t count = rw_writes_from(v, x + 1) - rw_writes_from(v, x);
        most = count > most ? count : most;
    }
    struct variable s = {.c = c, .reads = rw_by_variable(v, RW_READS, c->m)};
    s.write = mem_new(c->m, uint32_t, most);
    s.past = mem_new(c->m, uint32_t, most);
    s.read = mem_new(c->m, bool, most);
    s.known = mem_new(c->m, uint32_t, (size_t)most * v->k);
    s.last = mem_new(c->m, uint32_t, v->k);
    c->demand_of = keep ? mem_new_ids(c->m, v->n) : NULL;
    bool fine = variables_fine(&s, budget, source, later);
    groups_free(&s.reads, c->m);
    mem_free(c->m, s.write);
    mem_free(c->m, s.past);
    mem_free(c->m, s.read);
    mem_free(c->m, s.known);
    mem_free(c->m, s.last);
    return fine;
}

/* ---- convergence ---- */

struct converging {
    struct causal *c;
    struct advance *sort;
    uint32_t *order;
    uint32_t count;
};

static uint32_t unplaced_cause(void *arg, uint32_t e)
{
    struct converging *s = arg;
    const struct rw *v = s->c->v;
    uint32_t source = advance_unplaced_source(s->sort, v, e);
    if (source != ID_NONE || s->c->demand_of[e] == ID_NONE)
        return source;
    const uint32_t *need = demand_row(s->c, s->c->demand_of[e]);
    uint32_t u = clock_missing(s->sort->done, need, v->k);
    return u == ID_NONE ? ID_NONE : v->base[u] + need[u] - 1;
}

static void place_converging(void *arg, uint32_t e)
{
    struct converging *s = arg;
    if (s->order)
        s->order[s->count] = e;
    s->count++;
}

bool causal_converges(struct causal *c, struct advance *sort, struct budget *budget, uint32_t *order, uint32_t *count)
{
    struct converging s = {c, sort, order, 0};
    advance_init(sort, c->v, c->m);
    bool acyclic = advance_sort(sort, unplaced_cause, place_converging, &s, budget);
    c->stats->steps += s.count;
    *count = s.count;
    return acyclic;
}
