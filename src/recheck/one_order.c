/* SPDX-License-Identifier: Apache-2.0 */
/* An execution: one order of all operations that take part. A write stands where it reaches the memory, and a read
 * where it takes its value.
 *
 * Sequential consistency: the order respects program order, and each read returns the last write of its variable before
 * it. With store buffers (tso, pso) it respects the program order that they preserve. A read returns the latest write
 * of its own thread that is before it in program order and not yet in the memory. If there is none, it returns the last
 * write before it in the order. Under sequential consistency no write is still in a buffer, so one replay serves all.
 *
 * Why it proves the model: let ww be the order of the writes. wr from other threads, ww and rw all run along the order,
 * as does the preserved program order: the first graph is acyclic. On one variable, a later operation of a thread never
 * reads from an earlier write than an earlier operation, nor from the thread's future. So the second graph is acyclic.
 * An rmw reads and writes at one place, which makes its source its immediate predecessor. @final: the last write of the
 * variable in the order wrote the value.
 *
 * Program order across threads (program.h) asks for more where there are buffers. Give each access of a variable a
 * level: the place of its write, or of its source. Within a thread levels never fall, as above. They must not fall from
 * one thread to another either. Then ww and rw lead to higher levels, wr stays on one, and po never leads down: the
 * second graph is acyclic. */
#include "recheck/program.h"

struct execution {
    struct recheck *x;
    uint32_t *place;    /* of an operation in the order, or ID_NONE */
    uint32_t *forward;  /* of a read: the latest write of its thread to the variable before it, or ID_NONE */
    uint32_t *furthest; /* of an operation: which of its thread up to it has the greatest place, or ID_NONE */
};

static bool place_all(struct execution *e, const struct order *o)
{
    struct recheck *x = e->x;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = x->line->evidence.ops.at[o->at + i];
        if (!takes_part(x, op, "the order"))
            return false;
        if (e->place[op] != ID_NONE)
            return refuse(x, "the order has %s twice", operation_text(x, op));
        e->place[op] = i;
    }
    return o->count == x->memory.count ||
           refuse(x, "the order has %u operations, but %u take part", o->count, x->memory.count);
}

/* ---- program order ---- */

/* The operations of the thread so far that a later one may have to come after, by the place in the order. */
struct latest {
    uint32_t read, write, any; /* operations, or ID_NONE */
    uint32_t settled;          /* of those before the last fence or rmw, and that rmw itself */
};

static uint32_t later(const struct execution *e, uint32_t a, uint32_t b)
{
    if (a == ID_NONE || b == ID_NONE)
        return a == ID_NONE ? b : a;
    return e->place[a] > e->place[b] ? a : b;
}

static bool comes_after(const struct execution *e, uint32_t op, uint32_t earlier)
{
    if (earlier == ID_NONE || e->place[earlier] < e->place[op])
        return true;
    return refuse(e->x, "the order has %s before %s, which comes first in program order", operation_text(e->x, op),
                  operation_text(e->x, earlier));
}

/* own: the thread's latest write of the variable. */
static bool check_place(const struct execution *e, struct latest *l, uint32_t op, uint32_t own)
{
    unsigned conditions = e->x->line->model->conditions;
    uint8_t role = e->x->memory.role[op];
    bool barrier = role == (ROLE_READS | ROLE_WRITES) || (conditions & COND_SC);
    bool writes = role & ROLE_WRITES;
    if (!comes_after(e, op, barrier ? l->any : l->settled) || !comes_after(e, op, l->read) ||
        (writes && !comes_after(e, op, conditions & COND_PSO ? own : l->write)))
        return false;
    l->any = later(e, l->any, op);
    if (writes)
        l->write = later(e, l->write, op);
    else
        l->read = later(e, l->read, op);
    if (barrier)
        l->settled = l->any;
    return true;
}

/* Walks through one thread; own[] holds its latest write of each variable, as far as it is of this thread. */
static bool check_thread(struct execution *e, uint32_t *own, const uint32_t *ops, const uint32_t *end)
{
    const struct recheck *x = e->x;
    const struct memory *mem = &x->memory;
    struct latest l = {ID_NONE, ID_NONE, ID_NONE, ID_NONE};
    for (; ops < end; ops++) {
        uint32_t op = *ops;
        if (mem->fence[op])
            l.settled = l.any;
        if (!mem->role[op])
            continue;
        uint32_t *mine = &own[mem->var[op]];
        if (*mine != ID_NONE && x->h->thread[*mine] != x->h->thread[op])
            *mine = ID_NONE;
        e->forward[op] = *mine;
        if (!check_place(e, &l, op, *mine))
            return false;
        if (mem->role[op] & ROLE_WRITES)
            *mine = op;
    }
    return true;
}

static bool check_threads(struct execution *e)
{
    struct recheck *x = e->x;
    struct groups by_thread = history_by_thread(x->h, x->mem);
    uint32_t *own = mem_new_ids(x->mem, x->memory.vars);
    for (uint32_t t = 0; t < x->h->threads.n; t++)
        if (!check_thread(e, own, by_thread.list + by_thread.at[t], by_thread.list + by_thread.at[t + 1]))
            return false;
    return true;
}

/* ---- program order across threads ---- */

/* How many writes of the variable, in the order, the operation has seen. */
static uint32_t level(const struct execution *e, uint32_t op)
{
    const struct memory *mem = &e->x->memory;
    uint32_t write = mem->role[op] & ROLE_WRITES ? op : mem->source[op];
    return write == FROM_INITIAL ? 0 : e->place[write] + 1;
}

static bool check_level(const struct execution *e, uint32_t op, uint32_t thread, uint32_t count)
{
    const struct recheck *x = e->x;
    uint32_t earlier = program_last_of(x, x->memory.var[op], thread, count);
    return earlier == ID_NONE || level(e, earlier) <= level(e, op) ||
           refuse(x, "in the order, %s sees an older value than %s, which comes first in program order",
                  operation_text(x, op), operation_text(x, earlier));
}

static bool check_across(const struct execution *e, uint32_t op)
{
    const struct recheck *x = e->x;
    uint8_t role = x->memory.role[op];
    bool barrier = role == (ROLE_READS | ROLE_WRITES) || (x->line->model->conditions & COND_SC);
    bool ordered = (role & ROLE_WRITES) && !(x->line->model->conditions & COND_PSO); /* after all writes */
    for (uint32_t t = 0; t < x->h->threads.n; t++) {
        uint32_t count = program_count(x, op, t), settled = barrier ? count : program_settled(x, op, t);
        uint32_t last = settled ? x->memory.program.by_thread.list[x->memory.program.by_thread.at[t] + settled - 1] : 0;
        if ((settled && !comes_after(e, op, e->furthest[last])) ||
            !comes_after(e, op, program_last(x, PROGRAM_READ, t, count)) ||
            (ordered && !comes_after(e, op, program_last(x, PROGRAM_WRITE, t, count))) ||
            (t != x->h->thread[op] && !check_level(e, op, t, count)))
            return false;
    }
    return true;
}

static bool check_all_across(struct execution *e)
{
    const struct recheck *x = e->x;
    const struct groups *by_thread = &x->memory.program.by_thread;
    if (!x->memory.program.past)
        return true;
    e->furthest = mem_new(x->mem, uint32_t, x->h->n);
    for (uint32_t t = 0; t < x->h->threads.n; t++)
        for (uint32_t i = by_thread->at[t], furthest = ID_NONE; i < by_thread->at[t + 1]; i++) {
            uint32_t op = by_thread->list[i];
            e->furthest[op] = furthest = x->memory.role[op] ? later(e, furthest, op) : furthest;
        }
    for (uint32_t op = 0; op < x->h->n; op++)
        if (x->memory.role[op] && !check_across(e, op))
            return false;
    return true;
}

/* ---- values ---- */

/* current: the values in the memory. */
static bool check_read(const struct execution *e, uint32_t op, uint32_t current)
{
    const struct recheck *x = e->x;
    uint32_t forward = e->forward[op];
    bool buffered = forward != ID_NONE && e->place[forward] > e->place[op];
    uint32_t held = buffered ? forward : current == ID_NONE ? FROM_INITIAL : current;
    if (held == x->memory.source[op])
        return true;
    return refuse(x, "in the order, %s does not return %s", operation_text(x, op),
                  held == FROM_INITIAL ? "the initial value" : operation_text(x, held));
}

/* A final value that was written more than once. */
static bool ends_as_said(const struct recheck *x, uint32_t var, uint32_t current)
{
    const struct values *values = x->memory.values;
    return values->final[var] == (current == ID_NONE ? values->initial[var] : values->wrote[current]);
}

static bool check_final(const struct recheck *x, const uint32_t *current)
{
    if (!x->memory.final)
        return true;
    if (x->memory.final_not_written)
        return refuse(x, "@final names a value that no variable can end with");
    for (uint32_t v = 0; v < x->memory.vars; v++) {
        uint32_t last = x->memory.final[v];
        if (last == FROM_SEVERAL && !ends_as_said(x, v, current[v]))
            return refuse(x, "the last write of a variable did not write the value that @final names");
        if (last < FROM_SEVERAL && current[v] != last)
            return refuse(x, "%s is not the last write of its variable, as @final says", operation_text(x, last));
    }
    return true;
}

static bool check_values(const struct execution *e, const struct order *o)
{
    const struct recheck *x = e->x;
    const struct memory *mem = &x->memory;
    uint32_t *current = mem_new_ids(x->mem, x->memory.vars);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = x->line->evidence.ops.at[o->at + i];
        if ((mem->role[op] & ROLE_READS) && !check_read(e, op, current[mem->var[op]]))
            return false;
        if (mem->role[op] & ROLE_WRITES)
            current[mem->var[op]] = op;
    }
    return check_final(x, current);
}

bool recheck_serial(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    if (ev->orders.n != 1 || ev->orders.at[0].thread != ASSAY_NO_THREAD)
        return refuse(x, "the model %s needs one order of the whole history", x->line->model->name);
    const struct order *o = &ev->orders.at[0];
    struct execution e = {x, mem_new_ids(x->mem, x->h->n), mem_new(x->mem, uint32_t, x->h->n), NULL};
    return place_all(&e, o) && check_threads(&e) && check_values(&e, o) && check_all_across(&e);
}
