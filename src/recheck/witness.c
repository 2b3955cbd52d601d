/* SPDX-License-Identifier: Apache-2.0 */
/* Witnesses: each condition of the model replays the orders that are its own. The orders of the causal conditions are
 * replayed here.
 *
 * COND_PER_THREAD has one order per thread. It holds the thread's operations and with each operation its causes, before
 * it. So it extends co on the causal past of the thread's last operation o. Each read of the thread returns the latest
 * write. So every other write of its variable before the read precedes the read's source, which is the rule of hb_o. So
 * hb_o is contained in a total order, hence acyclic, for every thread. The causal condition follows: a bad pattern
 * would show in the order of the thread whose read it ends in.
 *
 * COND_CONVERGENT, and COND_CAUSAL without the former, have one order of the whole history,
 * which extends co; causal_pasts.c does the rest. */
#include "recheck/program.h"

#include <stdio.h>

struct replay {
    uint32_t round;   /* number of the current order, from 1 */
    uint32_t *placed; /* the last round in which the operation was placed */
    uint32_t *latest; /* the last write to the variable, of this round if that was placed in it */
};

static uint32_t latest_write(const struct replay *p, uint32_t var)
{
    uint32_t w = p->latest[var];
    return w != ID_NONE && p->placed[w] == p->round ? w : FROM_INITIAL;
}

static bool place(const struct recheck *x, struct replay *p, uint32_t op, uint32_t observer, const char *where)
{
    const struct memory *mem = &x->memory;
    if (!takes_part(x, op, where))
        return false;
    if (p->placed[op] == p->round)
        return refuse(x, "%s has %s twice", where, operation_text(x, op));
    uint32_t before = mem->before[op];
    if (before != ID_NONE && p->placed[before] != p->round)
        return refuse(x, "%s has %s without %s of its thread before it", where, operation_text(x, op),
                      operation_text(x, before));
    for (uint32_t t = 0; mem->program.past && t < x->h->threads.n; t++) {
        uint32_t across = program_last(x, PROGRAM_ANY, t, program_count(x, op, t));
        if (across != ID_NONE && p->placed[across] != p->round)
            return refuse(x, "%s has %s without %s, which program order puts first", where, operation_text(x, op),
                          operation_text(x, across));
    }
    bool reads = mem->role[op] & ROLE_READS;
    uint32_t source = reads ? mem->source[op] : FROM_INITIAL;
    if (source == FROM_NOBODY)
        return refuse(x, "%s reads a value that nobody wrote", operation_text(x, op));
    if (source != FROM_INITIAL && p->placed[source] != p->round)
        return refuse(x, "%s has %s without its source %s before it", where, operation_text(x, op),
                      operation_text(x, source));
    if (reads && x->h->thread[op] == observer && latest_write(p, mem->var[op]) != source)
        return refuse(x, "in %s, %s does not return the latest write", where, operation_text(x, op));
    p->placed[op] = p->round;
    if (mem->role[op] & ROLE_WRITES)
        p->latest[mem->var[op]] = op;
    return true;
}

/* Replays one order; reads of the observer (a thread or ASSAY_NO_THREAD) return the latest
 * write. */
static bool replay_order(const struct recheck *x, struct replay *p, const struct order *o)
{
    char where[48];
    if (o->thread == ASSAY_NO_THREAD)
        snprintf(where, sizeof where, "the order");
    else
        snprintf(where, sizeof where, "the order of thread %u", o->thread);
    p->round++;
    for (uint32_t i = 0; i < o->count; i++)
        if (!place(x, p, x->line->evidence.ops.at[o->at + i], o->thread, where))
            return false;
    return true;
}

/* ---- one order per thread ---- */

/* An operation whose effect its thread must explain: it was answered, or it read. A pending operation that only writes
 * has told its thread nothing. */
static bool must_be_seen(const struct recheck *x, uint32_t op)
{
    return (x->memory.role[op] & ROLE_READS) || !history_pending(x->h, op);
}

/* The last operation of each thread that its order must hold; ID_NONE: it needs no order. */
static uint32_t *last_seen(const struct recheck *x)
{
    uint32_t *last = mem_new_ids(x->mem, x->h->threads.n);
    for (uint32_t o = 0; o < x->h->n; o++)
        if (x->memory.role[o] && must_be_seen(x, o))
            last[x->h->thread[o]] = o;
    return last;
}

static bool check_thread_orders(const struct recheck *x, struct replay *p)
{
    const struct evidence *ev = &x->line->evidence;
    uint32_t *last = last_seen(x);
    bool *done = mem_new_zero(x->mem, bool, x->h->threads.n);
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        if (o->thread == ASSAY_NO_THREAD)
            continue;
        if (o->thread >= x->h->threads.n)
            return refuse(x, "order %u is for thread %u, but the history has only %u", i, o->thread, x->h->threads.n);
        if (done[o->thread])
            return refuse(x, "order %u is a second one for thread %u", i, o->thread);
        done[o->thread] = true;
        if (!replay_order(x, p, o))
            return false;
        uint32_t needed = last[o->thread]; /* those before it are there if it is */
        if (needed != ID_NONE && p->placed[needed] != p->round)
            return refuse(x, "the order of thread %u lacks %s", o->thread, operation_text(x, needed));
    }
    for (uint32_t t = 0; t < x->h->threads.n; t++)
        if (last[t] != ID_NONE && !done[t])
            return refuse(x, "there is no order for thread %u", t);
    return true;
}

/* ---- one order of the whole history ---- */

static bool check_whole_order(struct recheck *x, struct replay *p)
{
    const struct evidence *ev = &x->line->evidence;
    const struct order *whole = NULL;
    for (uint32_t i = 0; i < ev->orders.n; i++)
        if (ev->orders.at[i].thread == ASSAY_NO_THREAD)
            whole = &ev->orders.at[i];
    if (!replay_order(x, p, whole))
        return false;
    if (whole->count != x->memory.count)
        return refuse(x, "the order has %u operations, but %u take part", whole->count, x->memory.count);
    return recheck_pasts(x, whole);
}

static uint32_t count_whole_orders(const struct evidence *ev)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ev->orders.n; i++)
        count += ev->orders.at[i].thread == ASSAY_NO_THREAD;
    return count;
}

static bool check_causal_orders(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    unsigned conditions = x->line->model->conditions;
    bool per_thread = conditions & COND_PER_THREAD;
    if (per_thread && x->memory.program.past)
        return cannot_judge(x, "recheck cannot judge %s with program order between threads", x->line->model->name);
    bool whole = !per_thread || (conditions & COND_CONVERGENT);
    uint32_t wholes = count_whole_orders(ev);
    if (wholes != (whole ? 1 : 0))
        return refuse(x, "%u orders of the whole history where the model %s needs %d", wholes, x->line->model->name,
                      whole);
    if (!per_thread && wholes != ev->orders.n)
        return refuse(x, "the model %s has no orders of single threads", x->line->model->name);
    struct replay p = {.placed = mem_new_zero(x->mem, uint32_t, x->h->n),
                       .latest = mem_new_ids(x->mem, x->memory.vars)};
    return (!per_thread || check_thread_orders(x, &p)) && (!whole || check_whole_order(x, &p));
}

bool recheck_witness(struct recheck *x)
{
    unsigned conditions = x->line->model->conditions;
    if (conditions & COND_TOTAL)
        return recheck_serial(x);
    if (conditions & (COND_WSC | COND_WTSO))
        return recheck_closed(x);
    if (!(conditions & (COND_CCM | COND_WCCM)))
        return check_causal_orders(x);
    return !x->line->evidence.orders.n ? recheck_naive(x)
                                       : refuse(x, "the model %s has no orders", x->line->model->name);
}
