/* SPDX-License-Identifier: Apache-2.0 */
/* One order of the whole history from one order of each part, as far as that can be done.
 *
 * Idea: the orders of the parts, and happens-before, are a graph. If it has no cycle, sorting it topologically gives
 * the order. Each thread has one operation that comes next. It waits for one operation that must come before it and has
 * not been placed; when that is placed, it is tried again. Two exchanges that met are placed together.
 *
 * With an interval order the graph never has a cycle (search/intervals.h). With other orders it may have one although
 * other orders of the parts would fit together. */
#include "check/check.h"

#include <string.h>

struct merging {
    const struct calls *c;
    struct mem *m;
    uint32_t *before, *partner;              /* in the part's order; or ID_NONE */
    bool *waiting;                           /* it is in an order, and not placed yet */
    struct groups by;                        /* thread -> its operations that are in an order */
    uint32_t *next;                          /* of each thread: how many of these have been placed */
    uint32_t *by_return, returned, return_n; /* with ranks: so many of these have been placed */
    uint32_t *watched, *watch; /* of an operation: the first that waits for it, and the next one after that */
    VEC(uint32_t) ready, order;
};

static bool meets(const struct calls *c, uint32_t op)
{
    if (objects_use(c->objects, op)->spec->create)
        return false;
    struct value null = {names_find(&c->h->names, "null", 4), ASSAY_WORD};
    return !value_same(history_result(c->h, op), null);
}

static void take_orders(struct merging *x, const struct evidence *ev)
{
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const uint32_t *ops = ev->ops.at + ev->orders.at[i].at;
        for (uint32_t j = 0; j < ev->orders.at[i].count; j++) {
            x->waiting[ops[j]] = true;
            x->before[ops[j]] = j ? ops[j - 1] : ID_NONE;
            bool second = j && x->partner[ops[j - 1]] == ops[j];
            if (!second && meets(x->c, ops[j]))
                x->partner[ops[j]] = ops[j + 1];
        }
    }
}

static void sort_returns(struct merging *x)
{
    uint32_t n = x->c->h->n, *rank = mem_new(x->m, uint32_t, n + 1);
    for (uint32_t o = 0; o < n; o++)
        rank[o] = x->waiting[o] ? x->c->ret[o] : CALLS_NEVER;
    struct groups returns = group_by(rank, n, 2 * n, x->m);
    x->by_return = returns.list;
    x->return_n = returns.at[(size_t)2 * n];
}

static void set_up(struct merging *x, const struct evidence *ev)
{
    const history *h = x->c->h;
    uint32_t **numbers[] = {&x->before, &x->partner, &x->watched, &x->watch};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = mem_new_ids(x->m, h->n + 1);
    x->waiting = mem_new_zero(x->m, bool, h->n + 1);
    x->next = mem_new_zero(x->m, uint32_t, h->threads.n + 1);
    take_orders(x, ev);
    uint32_t *thread = mem_new(x->m, uint32_t, h->n + 1);
    for (uint32_t o = 0; o < h->n; o++)
        thread[o] = x->waiting[o] ? h->thread[o] : ID_NONE;
    x->by = group_by(thread, h->n, h->threads.n, x->m);
    if (x->c->call)
        sort_returns(x);
}

/* The thread's operation that comes next, or ID_NONE. */
static uint32_t head(const struct merging *x, uint32_t thread)
{
    uint32_t at = x->by.at[thread] + x->next[thread];
    return at < x->by.at[thread + 1] ? x->by.list[at] : ID_NONE;
}

/* An operation that is not placed and must come before this one, or ID_NONE. */
static uint32_t blocker(struct merging *x, uint32_t op)
{
    const struct calls *c = x->c;
    uint32_t mine = head(x, c->h->thread[op]), k = c->h->threads.n;
    if (mine != op)
        return mine;
    while (x->returned < x->return_n && !x->waiting[x->by_return[x->returned]])
        x->returned++;
    if (x->returned < x->return_n && c->ret[x->by_return[x->returned]] < c->call[op])
        return x->by_return[x->returned];
    for (uint32_t t = 0; c->past && t < k; t++) {
        uint32_t first = head(x, t);
        if (first != ID_NONE && !history_pending(c->h, first) && c->index[first] < c->past[(size_t)op * k + t])
            return first;
    }
    return ID_NONE;
}

/* Puts the operation where it can be placed, or where it waits. */
static void look_at(struct merging *x, uint32_t op)
{
    uint32_t other = x->before[op];
    if (other == ID_NONE || !x->waiting[other])
        other = blocker(x, op);
    if (other == ID_NONE && x->partner[op] != ID_NONE)
        other = blocker(x, x->partner[op]);
    if (other == ID_NONE) {
        vec_push(x->m, &x->ready, op);
        return;
    }
    x->watch[op] = x->watched[other];
    x->watched[other] = op;
}

static void place(struct merging *x, uint32_t op)
{
    uint32_t t = x->c->h->thread[op];
    x->waiting[op] = false;
    x->next[t]++;
    vec_push(x->m, &x->order, op);
}

/* Wakes the threads that waited for the operation, which has been placed. */
static void wake(struct merging *x, uint32_t op)
{
    uint32_t follows = head(x, x->c->h->thread[op]);
    for (uint32_t w = x->watched[op], next; w != ID_NONE; w = next) {
        next = x->watch[w];
        if (x->waiting[w])
            look_at(x, w);
    }
    if (follows != ID_NONE)
        look_at(x, follows);
}

bool checker_merge(const struct calls *c, struct evidence *ev, struct mem *m, struct budget *b)
{
    struct merging x = {.c = c, .m = m};
    set_up(&x, ev);
    for (uint32_t t = 0; t < c->h->threads.n; t++)
        if (head(&x, t) != ID_NONE)
            look_at(&x, head(&x, t));
    while (x.ready.n) {
        uint32_t op = vec_pop(&x.ready), partner = x.partner[op];
        budget_tick(b);
        place(&x, op);
        if (partner != ID_NONE)
            place(&x, partner);
        wake(&x, op);
        if (partner != ID_NONE)
            wake(&x, partner);
    }
    if (x.order.n < ev->ops.n)
        return false;
    evidence_drop_orders(ev);
    if (x.order.n)
        evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < x.order.n; i++)
        evidence_place(ev, x.order.at[i]);
    return true;
}
