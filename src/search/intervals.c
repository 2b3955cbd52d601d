/* SPDX-License-Identifier: Apache-2.0 */
#include "search/intervals.h"

struct uniting {
    const struct calls *c;
    struct mem *m;
    struct budget *b;
    struct groups by;    /* thread -> its operations, in program order */
    uint32_t *index;     /* of an operation within its thread */
    uint32_t *completed; /* of each thread: number of operations that returned; only the last may not have */
    uint32_t *returned;  /* with real time: operations by their returns */
    uint32_t *earlier;   /* with real time: number of these that returned before the call */
    uint32_t *size;      /* number of predecessors */

    uint32_t *taken; /* of each thread: number of operations in the union */
    uint32_t returned_taken;
    bool *in;             /* is it in the union? */
    uint32_t *row, row_n; /* members of the union, in the order in which they came */
};

static void set_up(struct uniting *x)
{
    const history *h = x->c->h;
    uint32_t k = h->threads.n;
    x->by = history_by_thread(h, x->m);
    x->index = mem_new(x->m, uint32_t, h->n);
    x->completed = mem_new(x->m, uint32_t, k);
    x->size = mem_new_zero(x->m, uint32_t, h->n);
    x->taken = mem_new_zero(x->m, uint32_t, k);
    x->in = mem_new_zero(x->m, bool, h->n);
    x->row = mem_new(x->m, uint32_t, h->n);
    for (uint32_t t = 0; t < k; t++) {
        uint32_t from = x->by.at[t], to = x->by.at[t + 1];
        x->completed[t] = to - from;
        for (uint32_t i = from; i < to; i++) {
            x->index[x->by.list[i]] = i - from;
            x->completed[t] -= history_pending(h, x->by.list[i]);
        }
    }
}

/* ---- numbers of predecessors ---- */

static void sort_returns(struct uniting *x)
{
    const struct calls *c = x->c;
    uint32_t n = c->h->n;
    struct groups returns = group_by(c->ret, n, 2 * n, x->m); /* at[r]: number of returns before rank r */
    x->returned = returns.list;
    x->earlier = mem_new(x->m, uint32_t, n);
    for (uint32_t o = 0; o < n; o++)
        x->earlier[o] = returns.at[c->call[o]];
    mem_free(x->m, returns.at);
}

/* Real time and program order are transitive together, since the calls and returns of a thread come one after another.
 * So the predecessors are the operations that returned before the call, and all earlier operations of the thread. */
static void count_by_time(struct uniting *x)
{
    const struct calls *c = x->c;
    sort_returns(x);
    /* Of each thread: number of operations that had returned. */
    uint32_t *before = mem_new_zero(x->m, uint32_t, c->h->threads.n);
    for (uint32_t o = 0; o < c->h->n; o++) {
        uint32_t t = c->h->thread[o], *mine = &before[t];
        while (*mine < x->index[o] && c->ret[x->by.list[x->by.at[t] + *mine]] < c->call[o])
            ++*mine;
        x->size[o] = x->earlier[o] + (x->index[o] - *mine);
    }
    mem_free(x->m, before);
}

/* The number of operations of the thread that are known to precede op. An operation that never returned precedes
 * nothing, even if the history says so. */
static uint32_t known(const struct uniting *x, uint32_t op, uint32_t thread)
{
    uint32_t count = x->c->past[(size_t)op * x->c->h->threads.n + thread];
    return count < x->completed[thread] ? count : x->completed[thread];
}

static void count_by_knowledge(struct uniting *x)
{
    for (uint32_t o = 0; o < x->c->h->n; o++) {
        budget_tick(x->b);
        for (uint32_t t = 0; t < x->c->h->threads.n; t++)
            x->size[o] += known(x, o, t);
    }
}

/* Operations by the number of their predecessors. */
static uint32_t *sorted_by_size(const struct uniting *x)
{
    struct groups by = group_by(x->size, x->c->h->n, x->c->h->n, x->m);
    mem_free(x->m, by.at);
    return by.list;
}

/* A likely order of the calls, in which predecessors come first. It is the recorded order; at equal times, operations
 * with fewer predecessors come first. With knowledge alone, the number of predecessors decides everywhere. */
static uint32_t *guessed(const struct uniting *x)
{
    const history *h = x->c->h;
    uint32_t n = h->n, times = 0, *by_size = sorted_by_size(x);
    if (!x->returned)
        return by_size;
    struct groups calls = group_by(x->c->call, n, 2 * n, x->m);
    uint32_t *time = mem_new(x->m, uint32_t, n), *key = calls.at;
    for (uint32_t i = 0; i < n; i++) {
        times += i && h->call[calls.list[i - 1]] != h->call[calls.list[i]];
        time[calls.list[i]] = times;
    }
    for (uint32_t i = 0; i < n; i++)
        key[i] = time[by_size[i]];
    struct groups by = group_by(key, n, times + 1, x->m);
    for (uint32_t i = 0; i < n; i++)
        by.list[i] = by_size[by.list[i]];
    mem_free(x->m, by.at);
    mem_free(x->m, by_size);
    mem_free(x->m, calls.at);
    mem_free(x->m, calls.list);
    mem_free(x->m, time);
    return by.list;
}

/* ---- union of predecessors ---- */

static void put(struct uniting *x, uint32_t op)
{
    if (x->in[op])
        return;
    x->in[op] = true;
    x->row[x->row_n++] = op;
}

static void put_thread(struct uniting *x, uint32_t thread, uint32_t count)
{
    for (; x->taken[thread] < count; x->taken[thread]++)
        put(x, x->by.list[x->by.at[thread] + x->taken[thread]]);
}

/* Adds the predecessors of the operation. False: the union has other members, too. */
static bool unite(struct uniting *x, uint32_t op)
{
    budget_tick(x->b);
    if (x->returned) {
        for (; x->returned_taken < x->earlier[op]; x->returned_taken++)
            put(x, x->returned[x->returned_taken]);
        put_thread(x, x->c->h->thread[op], x->index[op]);
    } else {
        for (uint32_t t = 0; t < x->c->h->threads.n; t++)
            put_thread(x, t, known(x, op, t));
    }
    return x->row_n == x->size[op];
}

/* Completed operations that precede no other operation return after all calls. */
static void put_rest(struct uniting *x)
{
    const history *h = x->c->h;
    uint32_t completed = 0;
    for (uint32_t t = 0; t < h->threads.n; t++)
        completed += x->completed[t];
    for (uint32_t i = 0; x->returned && i < completed; i++)
        put(x, x->returned[i]);
    for (uint32_t t = 0; t < h->threads.n; t++)
        put_thread(x, t, x->completed[t]);
}

/* ---- ranks ---- */

/* Ranks the operations. Each operation also gets the predecessors of the operations before it in the order. False: the
 * sets are not nested, so an operation got predecessors that are not its own. With `wanted`, these are allowed. */
static bool rank(struct uniting *x, bool wanted, uint32_t *call, uint32_t *ret)
{
    const history *h = x->c->h;
    uint32_t *order = wanted ? guessed(x) : sorted_by_size(x), next = 0, ranked = 0;
    for (uint32_t o = 0; o < h->n; o++)
        ret[o] = CALLS_NEVER;
    for (uint32_t i = 0; i < h->n; i++) {
        if (!unite(x, order[i]) && !wanted) {
            mem_free(x->m, order);
            return false;
        }
        while (ranked < x->row_n)
            ret[x->row[ranked++]] = next++;
        call[order[i]] = next++;
    }
    put_rest(x);
    while (ranked < x->row_n)
        ret[x->row[ranked++]] = next++;
    mem_free(x->m, order);
    return true;
}

static void clean_up(struct uniting *x)
{
    groups_free(&x->by, x->m);
    uint32_t *numbers[] = {x->index, x->completed, x->returned, x->earlier, x->size, x->taken, x->row};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        mem_free(x->m, numbers[i]);
    mem_free(x->m, x->in);
}

static bool find_ranks(const struct calls *c, bool wanted, uint32_t *call, uint32_t *ret, struct mem *m,
                       struct budget *b)
{
    struct uniting x = {.c = c, .m = m, .b = b};
    set_up(&x);
    (c->call ? count_by_time : count_by_knowledge)(&x);
    bool nested = rank(&x, wanted, call, ret);
    clean_up(&x);
    return nested;
}

bool intervals_rank(struct calls *c, struct mem *m, struct budget *b)
{
    uint32_t n = c->h->n, *call = mem_new(m, uint32_t, n + 1), *ret = mem_new(m, uint32_t, n + 1);
    bool nested = find_ranks(c, false, call, ret, m, b);
    uint32_t *useless[] = {nested ? c->call : call, nested ? c->ret : ret, nested ? c->past : NULL,
                           nested ? c->index : NULL};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++)
        mem_free(m, useless[i]);
    if (!nested)
        return false;
    c->call = call;
    c->ret = ret;
    c->past = c->index = NULL;
    c->order = CALLS_INTERVALS;
    return true;
}

void intervals_tighten(struct calls *c, struct mem *m, struct budget *b)
{
    uint32_t n = c->h->n, *call = mem_new(m, uint32_t, n + 1), *ret = mem_new(m, uint32_t, n + 1);
    find_ranks(c, true, call, ret, m, b);
    c->call = call;
    c->ret = ret;
    c->past = c->index = NULL;
    c->order = CALLS_INTERVALS;
}
