/* SPDX-License-Identifier: Apache-2.0 */
/* Orders and closed pairs: the relations that wsc and wtso derive step by step are contained in acyclic ones.
 *
 * wsc has one graph. wtso has two: of the order that a store buffer preserves, and of the operations on one variable.
 * Each graph consists of the history's own order, the pairs, and each read of an initial value before the writes of its
 * variable. It runs along the order given for it, so it is acyclic. Suppose that no rule yields a pair that is not
 * ordered in every graph. Then the graphs contain the least relations closed under the rules, which are hence acyclic,
 * too.
 *
 * The rules, with x < y in some graph, v and w writes of one variable:
 *   v < r, r reads from w, v != w   gives   v < w in all graphs
 *   v < w                           gives   v < w and r < w in all graphs, for each other read r of v
 *
 * Idea: each graph is cut into lanes within which its own order is total. So the past of an operation is a row of
 * counts, computed along the order. Of each thread only the last write that precedes matters. Writes before it precede
 * it in all graphs, and their readers precede the next write. Of the readers of v in one thread the last one decides.
 * Cost: operations times threads, and readers, with a binary search. */
#include "recheck/program.h"
#include "recheck/runs.h"

#include <string.h>

enum { NEAR = 2 };

enum own_order { ORDER_PROGRAM, ORDER_PRESERVED, ORDER_PER_VARIABLE };

struct graph {
    const char *name;     /* for messages */
    enum own_order order; /* of the history itself */
    uint32_t lanes;
    uint32_t *lane, *at;  /* of an operation: its lane and its place there */
    uint32_t *near[NEAR]; /* the operations of its thread that directly precede it, or ID_NONE */
    bool own_reads;       /* reads from the own thread count */
    uint32_t *counts;     /* an operation's row: how many of each lane precede it */
    uint32_t *place;      /* in the order; ID_NONE: not placed so far */
};

struct closing {
    struct recheck *x;
    struct groups by_thread;
    struct runs runs;
    struct groups pairs_into; /* the closed pairs by their second operation */
    struct groups initial;    /* by variable: per thread the last read of the initial value */
    struct groups readers;    /* by write: per thread its last read */
    bool *first_write;        /* of its thread, to the variable */
    struct graph graph[2];
    uint32_t graphs;
};

/* ---- the graphs ---- */

static struct graph new_graph(struct closing *c, enum own_order order, const char *name, uint32_t lanes)
{
    struct mem *m = c->x->mem;
    uint32_t n = c->x->h->n;
    struct graph g = {.name = name, .order = order, .lanes = lanes, .own_reads = true};
    g.lane = mem_new(m, uint32_t, n);
    g.at = mem_new(m, uint32_t, n);
    for (int i = 0; i < NEAR; i++)
        g.near[i] = mem_new_ids(m, n);
    return g;
}

static void join_lane(struct graph *g, uint32_t op, uint32_t lane, uint32_t before)
{
    g->lane[op] = lane;
    g->at[op] = before == ID_NONE ? 0 : g->at[before] + 1;
    g->near[0][op] = before;
}

static void add_program_order(struct closing *c)
{
    const struct memory *mem = &c->x->memory;
    struct graph *g = &c->graph[c->graphs++];
    *g = new_graph(c, ORDER_PROGRAM, "the order", c->x->h->threads.n);
    for (uint32_t op = 0; op < c->x->h->n; op++)
        if (mem->role[op])
            join_lane(g, op, c->x->h->thread[op], mem->before[op]);
}

/* A thread has a lane of plain reads and one of writes. A write comes after the reads before it; a read only
 * after the writes before the last fence or rmw, and that rmw. */
static void add_preserved_order(struct closing *c)
{
    const struct recheck *x = c->x;
    struct graph *g = &c->graph[c->graphs++];
    *g = new_graph(c, ORDER_PRESERVED, "the first order", 2 * x->h->threads.n);
    g->own_reads = false;
    for (uint32_t t = 0; t < x->h->threads.n; t++) {
        uint32_t last[2] = {ID_NONE, ID_NONE}, settled = ID_NONE; /* last read, last write */
        for (uint32_t i = c->by_thread.at[t]; i < c->by_thread.at[t + 1]; i++) {
            uint32_t op = c->by_thread.list[i];
            uint8_t role = x->memory.role[op];
            bool writes = role & ROLE_WRITES;
            if (role) {
                join_lane(g, op, 2 * t + writes, last[writes]);
                g->near[1][op] = writes ? last[0] : settled;
                last[writes] = op;
            }
            if (x->memory.fence[op] || role == (ROLE_READS | ROLE_WRITES))
                settled = last[1];
        }
    }
}

/* Places are counted per variable: operations of different variables are never compared. */
static void add_order_per_variable(struct closing *c)
{
    const struct recheck *x = c->x;
    struct graph *g = &c->graph[c->graphs++];
    *g = new_graph(c, ORDER_PER_VARIABLE, "the second order", x->h->threads.n);
    uint32_t *last = mem_new_ids(x->mem, x->memory.vars);
    for (uint32_t i = 0; i < x->h->n; i++) {
        uint32_t op = c->by_thread.list[i];
        if (!x->memory.role[op])
            continue;
        uint32_t *before = &last[x->memory.var[op]];
        bool same = *before != ID_NONE && x->h->thread[*before] == x->h->thread[op];
        join_lane(g, op, x->h->thread[op], same ? *before : ID_NONE);
        *before = op;
    }
    mem_free(x->mem, last);
}

/* ---- reads and pairs ---- */

/* Per key[] (of reads; ID_NONE: none) the last operation of each thread. */
static struct groups last_per_thread(struct closing *c, uint32_t *key, uint32_t keys)
{
    const struct recheck *x = c->x;
    uint32_t *seen = mem_new_zero(x->mem, uint32_t, keys); /* by which thread, + 1 */
    for (uint32_t i = x->h->n; i-- > 0;) {
        uint32_t op = c->by_thread.list[i];
        if (key[op] == ID_NONE)
            continue;
        uint32_t *by = &seen[key[op]], thread = x->h->thread[op] + 1;
        key[op] = *by == thread ? ID_NONE : key[op];
        *by = thread;
    }
    mem_free(x->mem, seen);
    return group_by(key, x->h->n, keys, x->mem);
}

static bool list_reads(struct closing *c)
{
    const struct recheck *x = c->x;
    const struct memory *mem = &x->memory;
    uint32_t n = x->h->n;
    uint32_t *source = mem_new_ids(x->mem, n), *initial = mem_new_ids(x->mem, n);
    for (uint32_t op = 0; op < n; op++) {
        if (!(mem->role[op] & ROLE_READS))
            continue;
        if (mem->source[op] == FROM_NOBODY)
            return refuse(x, "%s reads a value that nobody wrote", operation_text(x, op));
        if (mem->source[op] == FROM_INITIAL)
            initial[op] = mem->var[op];
        else
            source[op] = mem->source[op];
    }
    c->readers = last_per_thread(c, source, n);
    c->initial = last_per_thread(c, initial, mem->vars);
    mem_free(x->mem, source);
    mem_free(x->mem, initial);
    c->first_write = mem_new_zero(x->mem, bool, n);
    for (uint32_t i = 0; i < c->runs.of[mem->vars]; i++)
        c->first_write[c->runs.writes[c->runs.at[i].from]] = true;
    return true;
}

static bool list_pairs(struct closing *c)
{
    const struct recheck *x = c->x;
    const struct evidence *ev = &x->line->evidence;
    uint32_t *second = mem_new(x->mem, uint32_t, ev->closed.n);
    for (uint32_t i = 0; i < ev->closed.n; i++) {
        assay_pair p = ev->closed.at[i];
        if (!takes_part(x, p.first, "a closed pair") || !takes_part(x, p.second, "a closed pair"))
            return false;
        if (x->memory.var[p.first] != x->memory.var[p.second])
            return refuse(x, "the closed pair of %s and %s is about different variables", operation_text(x, p.first),
                          operation_text(x, p.second));
        second[i] = p.second;
    }
    c->pairs_into = group_by(second, ev->closed.n, x->h->n, x->mem);
    mem_free(x->mem, second);
    return true;
}

/* ---- the past of an operation ---- */

static uint32_t *row(const struct graph *g, uint32_t op)
{
    return g->counts + (size_t)op * g->lanes;
}

static bool precedes(const struct graph *g, uint32_t a, uint32_t b)
{
    return row(g, b)[g->lane[a]] > g->at[a];
}

static bool join(const struct closing *c, const struct graph *g, uint32_t before, uint32_t op)
{
    if (before == ID_NONE)
        return true;
    if (g->place[before] == ID_NONE)
        return refuse(c->x, "%s has %s without %s before it", g->name, operation_text(c->x, op),
                      operation_text(c->x, before));
    uint32_t *mine = row(g, op), *count = &mine[g->lane[before]];
    const uint32_t *theirs = row(g, before);
    for (uint32_t l = 0; l < g->lanes; l++)
        mine[l] = mine[l] > theirs[l] ? mine[l] : theirs[l];
    *count = *count > g->at[before] ? *count : g->at[before] + 1;
    return true;
}

static uint32_t source_in(const struct closing *c, const struct graph *g, uint32_t op)
{
    const struct memory *mem = &c->x->memory;
    if (!(mem->role[op] & ROLE_READS) || mem->source[op] == FROM_INITIAL)
        return ID_NONE;
    uint32_t source = mem->source[op];
    bool own = c->x->h->thread[source] == c->x->h->thread[op];
    return own && !g->own_reads ? ID_NONE : source;
}

/* Program order across threads. A plain read comes after the writes before a barrier only. That barrier may be of a
 * third thread, so that its own thread is asked, too. */
static bool join_across(const struct closing *c, const struct graph *g, uint32_t op)
{
    const struct recheck *x = c->x;
    bool reads = x->memory.role[op] == ROLE_READS;
    for (uint32_t t = 0; t < x->h->threads.n; t++) {
        uint32_t count = program_count(x, op, t), before[2] = {ID_NONE, ID_NONE};
        if (g->order == ORDER_PROGRAM) {
            before[0] = program_last(x, PROGRAM_ANY, t, count);
        } else if (g->order == ORDER_PER_VARIABLE) {
            before[0] = program_last_of(x, x->memory.var[op], t, count);
        } else {
            before[0] = program_last(x, PROGRAM_READ, t, count);
            before[1] = program_last(x, PROGRAM_WRITE, t, reads ? program_settled(x, op, t) : count);
        }
        if (!join(c, g, before[0], op) || !join(c, g, before[1], op))
            return false;
    }
    return true;
}

static bool join_all(const struct closing *c, const struct graph *g, uint32_t op)
{
    for (int i = 0; i < NEAR; i++)
        if (!join(c, g, g->near[i][op], op))
            return false;
    if (!join(c, g, source_in(c, g, op), op) || (c->x->memory.program.past && !join_across(c, g, op)))
        return false;
    for (uint32_t i = c->pairs_into.at[op]; i < c->pairs_into.at[op + 1]; i++)
        if (!join(c, g, c->x->line->evidence.closed.at[c->pairs_into.list[i]].first, op))
            return false;
    if (!c->first_write[op])
        return true;
    uint32_t var = c->x->memory.var[op];
    for (uint32_t i = c->initial.at[var]; i < c->initial.at[var + 1]; i++)
        if (c->initial.list[i] != op && !join(c, g, c->initial.list[i], op))
            return false;
    return true;
}

static bool run_along(const struct closing *c, struct graph *g, const struct order *o)
{
    struct recheck *x = c->x;
    g->counts = mem_new_zero(x->mem, uint32_t, mem_product(x->h->n, g->lanes));
    g->place = mem_new_ids(x->mem, x->h->n);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = x->line->evidence.ops.at[o->at + i];
        if (!takes_part(x, op, g->name))
            return false;
        if (g->place[op] != ID_NONE)
            return refuse(x, "%s has %s twice", g->name, operation_text(x, op));
        if (!join_all(c, g, op))
            return false;
        g->place[op] = i;
    }
    return o->count == x->memory.count ||
           refuse(x, "%s has %u operations, but %u take part", g->name, o->count, x->memory.count);
}

/* ---- the rules ---- */

/* Does a precede b in all graphs? It must, because of the operation `because`. */
static bool ordered(const struct closing *c, uint32_t a, uint32_t b, uint32_t because)
{
    for (uint32_t g = 0; g < c->graphs; g++)
        if (!precedes(&c->graph[g], a, b))
            return refuse(c->x, "the pairs are not closed: %s must come before %s because of %s",
                          operation_text(c->x, a), operation_text(c->x, b), operation_text(c->x, because));
    return true;
}

/* The last write of the run that precedes op in the graph, or ID_NONE. */
static uint32_t last_before(const struct closing *c, const struct graph *g, const struct run *run, uint32_t op)
{
    const uint32_t *writes = c->runs.writes;
    uint32_t low = run->from, high = run->end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (precedes(g, writes[middle], op))
            low = middle + 1;
        else
            high = middle;
    }
    return low == run->from ? ID_NONE : writes[low - 1];
}

/* The write v precedes the read op. */
static bool check_read(const struct closing *c, uint32_t v, uint32_t op)
{
    uint32_t source = c->x->memory.source[op];
    if (source == FROM_INITIAL)
        return refuse(c->x, "%s comes before %s, which reads the initial value", operation_text(c->x, v),
                      operation_text(c->x, op));
    return v == source || ordered(c, v, source, op);
}

/* The write v precedes the write op. */
static bool check_write(const struct closing *c, uint32_t v, uint32_t op)
{
    if (!ordered(c, v, op, v))
        return false;
    for (uint32_t i = c->readers.at[v]; i < c->readers.at[v + 1]; i++)
        if (c->readers.list[i] != op && !ordered(c, c->readers.list[i], op, v))
            return false;
    return true;
}

static bool check_rules(const struct closing *c, const struct graph *g, uint32_t op)
{
    const struct memory *mem = &c->x->memory;
    uint32_t var = mem->var[op];
    for (uint32_t i = c->runs.of[var]; i < c->runs.of[var + 1]; i++) {
        uint32_t v = last_before(c, g, &c->runs.at[i], op);
        if (v == ID_NONE)
            continue;
        if ((mem->role[op] & ROLE_READS) && !check_read(c, v, op))
            return false;
        if ((mem->role[op] & ROLE_WRITES) && !check_write(c, v, op))
            return false;
    }
    return true;
}

bool recheck_closed(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    struct closing c = {.x = x, .by_thread = history_by_thread(x->h, x->mem)};
    c.runs = recheck_runs(x, &c.by_thread);
    if (x->line->model->conditions & COND_WSC) {
        add_program_order(&c);
    } else {
        add_preserved_order(&c);
        add_order_per_variable(&c);
    }
    if (ev->orders.n != c.graphs)
        return refuse(x, "%u orders where the model %s needs %u", ev->orders.n, x->line->model->name, c.graphs);
    if (!list_reads(&c) || !list_pairs(&c))
        return false;
    for (uint32_t g = 0; g < c.graphs; g++) {
        if (ev->orders.at[g].thread != ASSAY_NO_THREAD)
            return refuse(x, "the model %s has no orders of single threads", x->line->model->name);
        if (!run_along(&c, &c.graph[g], &ev->orders.at[g]))
            return false;
    }
    for (uint32_t g = 0; g < c.graphs; g++)
        for (uint32_t op = 0; op < x->h->n; op++)
            if (x->memory.role[op] && !check_rules(&c, &c.graph[g], op))
                return false;
    return true;
}
