/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `execute`: a linearization of a whole memory whose values are written once each, in any happens-before. If
 * it finds none, it declines.
 *
 * Idea. Sequential consistency of a memory asks for one order of all threads that explains every read. memory/repair.h
 * finds this order for most consistent histories. Linearizability asks for the same, and the order must also keep to
 * happens-before. So an operation also waits for every operation that happens before it. Happens-before is the same in
 * every execution. So when operations wait for each other in a circle, such a wait is not to blame. The step that is
 * taken back is a choice.
 *
 * With real time it is enough to know the operation that returned first among the operations that are not executed. The
 * returns are passed over in order. The field `returned` goes back when one of the passed operations is taken back.
 *
 * Invariant. No operation is executed before an operation that happens before it. Each read returned the value that the
 * memory held. So an order that was found is a linearization. If no order was found, nothing is known, and the engine
 * declines.
 *
 * Source: memory/repair.h. */
#include "memory/repair.h"
#include "search/plain_part.h"

#include <string.h>

struct executing {
    const struct calls *c;
    struct repair r;
    uint32_t *by_return, return_n; /* with ranks: the events that return, in the order of their returns */
    uint32_t *place;               /* of an event in by_return, or ID_NONE */
    uint32_t returned;             /* the first `returned` events of by_return are executed */
};

static uint32_t blocker_in_time(void *arg, uint32_t e)
{
    struct executing *x = arg;
    const struct calls *c = x->c;
    const uint32_t *op = x->r.v->op;
    while (x->returned < x->return_n && repair_executed(&x->r, x->by_return[x->returned]))
        x->returned++;
    if (x->returned == x->return_n)
        return ID_NONE;
    uint32_t first = x->by_return[x->returned];
    return c->ret[op[first]] < c->call[op[e]] ? first : ID_NONE;
}

static void taken_back_in_time(void *arg, uint32_t e)
{
    struct executing *x = arg;
    if (x->place[e] < x->returned)
        x->returned = x->place[e];
}

static uint32_t blocker_in_knowledge(void *arg, uint32_t e)
{
    struct executing *x = arg;
    const struct calls *c = x->c;
    const struct rw *v = x->r.v;
    const uint32_t *past = c->past + (size_t)v->op[e] * v->k;
    for (uint32_t t = 0; t < v->k; t++) {
        uint32_t next = repair_next(&x->r, t);
        if (next != ID_NONE && c->index[v->op[next]] < past[t] && !history_pending(c->h, v->op[next]))
            return next;
    }
    return ID_NONE;
}

static void sort_returns(struct executing *x, const struct rw *v, struct mem *m)
{
    uint32_t *rank = mem_new(m, uint32_t, v->n + 1), ranks = 2 * x->c->h->n;
    for (uint32_t e = 0; e < v->n; e++)
        rank[e] = x->c->ret[v->op[e]];
    struct groups returns = group_by(rank, v->n, ranks, m);
    x->by_return = returns.list;
    x->return_n = returns.at[ranks];
    x->place = memset(rank, 0xFF, v->n * sizeof *rank);
    for (uint32_t i = 0; i < x->return_n; i++)
        x->place[x->by_return[i]] = i;
    mem_free(m, returns.at);
}

/* The guessed time of each event: the middle between call and return, or the call if it is pending. Without ranks, its
 * place in the history. */
static uint32_t *guesses(const struct calls *c, const struct rw *v, struct mem *m)
{
    uint32_t *key = mem_new(m, uint32_t, v->n + 1);
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t op = v->op[e];
        key[e] = !c->call ? op : c->ret[op] == CALLS_NEVER ? c->call[op] : c->call[op] / 2 + c->ret[op] / 2;
    }
    return key;
}

static void witness(const struct executing *x, struct job *job)
{
    const struct rw *v = x->r.v;
    struct evidence *ev = &job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < x->r.executed; i++)
        if (v->kind[x->r.order[i]] & (RW_READS | RW_WRITES))
            evidence_place(ev, v->op[x->r.order[i]]);
}

static void run(struct job *job)
{
    struct executing x = {.c = job->calls};
    const struct rw *v = rw_view(job->h, false, job->mem);
    if (v->twice[1] != ID_NONE || v->thin != ID_NONE || v->open) {
        job->declined = "a value that is read is not written once";
        return;
    }
    if (x.c->call)
        sort_returns(&x, v, job->mem);
    repair_init(&x.r, v, MEMORY_SC, guesses(x.c, v, job->mem), job->mem, job->budget);
    x.r.rule = x.c->call   ? (struct repair_rule){blocker_in_time, taken_back_in_time, &x}
               : x.c->past ? (struct repair_rule){blocker_in_knowledge, NULL, &x}
                           : (struct repair_rule){0};
    bool found = repair_run(&x.r);
    job->out->stats.choices += x.r.choices;
    job->out->stats.conflicts += x.r.conflicts;
    job->out->stats.steps += x.r.executed + x.r.effort;
    if (!found)
        job->declined = "it has found no order, and knows no other way";
    else if (job->witness)
        witness(&x, job);
}

static const char *declines(const struct job *job)
{
    if (!objects_all(job->calls->objects, &spec_memory))
        return "the object is not a memory";
    if (job->calls->part_n > 1 && job->calls->order == CALLS_INTERVALS)
        return "the order is one of intervals, so that the variables can be judged apart";
    return job->calls->part_n > 1 && job->part->object ? "it is for all variables at once" : NULL;
}

const struct engine engine_execute = {
    .name = "execute",
    .title = "execution of a whole memory along happens-before, with repair",
    .conditions = COND_LIN,
    .whole = true,
    .tentative = true,
    .declines = declines,
    .run = run,
};
