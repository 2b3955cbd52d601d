/* SPDX-License-Identifier: Apache-2.0 */
/* Causal pasts along an order that extends co, and the writes that each read's past may hold.
 *
 * Idea: the past of an operation is a prefix of each thread, so it is a row of counts. The rows follow one another
 * along the order. Take a read of x with source w. COND_CONVERGENT: if every other x-write v in its past comes before w
 * in the order, then cf[co] is contained in the order, hence acyclic with po and wr. COND_CAUSAL alone: no v in its
 * past may have w in its own past. A read of the initial value may have no x-write in its past at all. Of each thread
 * the last x-write in the past decides: earlier x-writes come earlier in the order and have smaller pasts.
 *
 * Cost: along the reads of one thread pasts only grow, so one cursor per (variable, writing thread) moves forward. This
 * takes operations times threads steps, and as many counts. */
#include "recheck/program.h"
#include "recheck/runs.h"

#include <string.h>

struct pasts {
    struct recheck *x;
    uint32_t threads;
    uint32_t *counts;   /* an operation's row: how many of each thread are in its past */
    uint32_t *position; /* in the order */
    struct runs runs;
    uint32_t *cursor; /* of a run: its first write that is not in the past at hand */
    uint32_t *ranks;  /* of the writes */
};

static uint32_t *row(const struct pasts *p, uint32_t op)
{
    return p->counts + (size_t)op * p->threads;
}

static bool in_past_of(const struct pasts *p, uint32_t op, uint32_t later)
{
    const struct recheck *x = p->x;
    return x->memory.rank[op] < row(p, later)[x->h->thread[op]];
}

/* The cause, if there is one, and its past are in the past of op. */
static void join(const struct pasts *p, uint32_t op, uint32_t cause)
{
    if (cause == ID_NONE)
        return;
    uint32_t *mine = row(p, op), *of_cause = &mine[p->x->h->thread[cause]];
    const uint32_t *theirs = row(p, cause);
    for (uint32_t t = 0; t < p->threads; t++)
        mine[t] = mine[t] > theirs[t] ? mine[t] : theirs[t];
    if (*of_cause <= p->x->memory.rank[cause])
        *of_cause = p->x->memory.rank[cause] + 1;
}

static void compute_rows(struct pasts *p, const struct order *order)
{
    const history *h = p->x->h;
    const struct memory *mem = &p->x->memory;
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t op = p->x->line->evidence.ops.at[order->at + i];
        uint32_t before = mem->before[op], *mine = row(p, op);
        p->position[op] = i;
        if (before == ID_NONE)
            memset(mine, 0, p->threads * sizeof *mine);
        else
            memcpy(mine, row(p, before), p->threads * sizeof *mine);
        mine[h->thread[op]] = mem->rank[op];
        if ((mem->role[op] & ROLE_READS) && mem->source[op] != FROM_INITIAL)
            join(p, op, mem->source[op]);
        for (uint32_t t = 0; mem->program.past && t < p->threads; t++)
            join(p, op, t == h->thread[op] ? ID_NONE : program_last(p->x, PROGRAM_ANY, t, program_count(p->x, op, t)));
    }
}

/* The write v is in the past of the read r, whose source is another one or the initial value. */
static bool check_pair(const struct pasts *p, uint32_t r, uint32_t v)
{
    const struct recheck *x = p->x;
    uint32_t source = x->memory.source[r];
    if (source == FROM_INITIAL)
        return refuse(x, "%s returns the initial value, but %s is among its causes", operation_text(x, r),
                      operation_text(x, v));
    if (p->position[v] < p->position[source])
        return true; /* so the source is not in its past either */
    if (x->line->model->conditions & COND_CONVERGENT)
        return refuse(x,
                      "the order puts %s after %s, but %s, which reads the latter, has it among "
                      "its causes",
                      operation_text(x, v), operation_text(x, source), operation_text(x, r));
    return !in_past_of(p, source, v) || refuse(x, "%s reads from %s, which %s among its causes overwrote",
                                               operation_text(x, r), operation_text(x, source), operation_text(x, v));
}

static bool check_read(const struct pasts *p, uint32_t r)
{
    const struct memory *mem = &p->x->memory;
    const uint32_t *past = row(p, r);
    uint32_t var = mem->var[r];
    for (uint32_t i = p->runs.of[var]; i < p->runs.of[var + 1]; i++) {
        const struct run *run = &p->runs.at[i];
        uint32_t *cursor = &p->cursor[i];
        while (*cursor < run->end && p->ranks[*cursor] < past[run->thread])
            ++*cursor;
        if (*cursor == run->from)
            continue;
        uint32_t v = p->runs.writes[*cursor - 1];
        if (v != mem->source[r] && !check_pair(p, r, v))
            return false;
    }
    return true;
}

static bool check_reads_of_thread(struct pasts *p, const uint32_t *ops, const uint32_t *end)
{
    const struct memory *mem = &p->x->memory;
    for (uint32_t i = 0; i < p->runs.of[mem->vars]; i++)
        p->cursor[i] = p->runs.at[i].from;
    for (; ops < end; ops++)
        if ((mem->role[*ops] & ROLE_READS) && !check_read(p, *ops))
            return false;
    return true;
}

bool recheck_pasts(struct recheck *x, const struct order *order)
{
    const history *h = x->h;
    struct pasts p = {.x = x, .threads = h->threads.n};
    p.counts = mem_new(x->mem, uint32_t, mem_product(h->n, p.threads));
    p.position = mem_new(x->mem, uint32_t, h->n);
    compute_rows(&p, order);
    struct groups by_thread = history_by_thread(h, x->mem);
    p.runs = recheck_runs(x, &by_thread);
    p.cursor = mem_new(x->mem, uint32_t, p.runs.of[x->memory.vars]);
    p.ranks = mem_new(x->mem, uint32_t, p.runs.count);
    for (uint32_t i = 0; i < p.runs.count; i++)
        p.ranks[i] = x->memory.rank[p.runs.writes[i]];
    for (uint32_t t = 0; t < p.threads; t++)
        if (!check_reads_of_thread(&p, by_thread.list + by_thread.at[t], by_thread.list + by_thread.at[t + 1]))
            return false;
    return true;
}
