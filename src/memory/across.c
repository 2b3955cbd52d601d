/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/across.h"

#include "memory/advance.h"
#include "memory/pasts.h"

struct sorting {
    const struct rw *v;
    struct advance sort;
    struct groups said; /* the events that `after` names */
    struct pasts past;
    struct budget *budget;
};

static uint32_t unplaced(void *arg, uint32_t e)
{
    struct sorting *s = arg;
    uint32_t first = s->said.at[e];
    return advance_first_unplaced(&s->sort, s->said.list + first, s->said.at[e + 1] - first);
}

static void place(void *arg, uint32_t e)
{
    struct sorting *s = arg;
    pasts_place(&s->past, e, &s->said);
}

/* Of each event: the last one of each thread that its operation is recorded to be after. */
static struct groups recorded(const history *h, const struct rw *v, struct mem *m)
{
    uint32_t *to = mem_new(m, uint32_t, h->after.n), *from = mem_new(m, uint32_t, h->after.n), n = 0;
    for (uint32_t e = 0; e < v->n; e++)
        for (uint32_t i = h->after_at[v->op[e]]; i < h->after_at[v->op[e] + 1]; i++) {
            struct after known = h->after.at[i];
            if (!known.count)
                continue;
            to[n] = e;
            from[n++] = v->base[known.thread] + known.count - 1;
        }
    struct groups said = group_by(to, n, v->n, m);
    for (uint32_t i = 0; i < n; i++)
        said.list[i] = from[said.list[i]];
    mem_free(m, to);
    mem_free(m, from);
    return said;
}

/* The rows as edges: where the past of a thread grows, the last event of each thread that is new in it. */
static struct groups growth(const struct pasts *past, struct mem *m)
{
    const struct rw *v = past->v;
    struct groups last = {mem_new(m, uint32_t, (size_t)v->n + 1), NULL};
    VEC(uint32_t) list = {0};
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t t = v->thread[e];
        const uint32_t *now = pasts_row(past, e), *before = e > v->base[t] ? pasts_row(past, e - 1) : past->rows;
        last.at[e] = list.n;
        for (uint32_t u = 0; u < v->k && now != before; u++)
            if (u != t && now[u] > before[u])
                vec_push(m, &list, v->base[u] + now[u] - 1);
    }
    last.at[v->n] = list.n;
    last.list = list.at;
    return last;
}

const struct across *across_of(const history *h, const struct rw *v, struct mem *m, uint32_t *op)
{
    struct sorting s = {.v = v, .said = recorded(h, v, m)};
    struct budget none = {0};
    pasts_init(&s.past, v, PAST_PROGRAM, NULL, m);
    advance_init(&s.sort, v, m);
    if (!advance_sort(&s.sort, unplaced, place, &s, &none)) {
        *op = v->op[advance_on_cycle(&s.sort)];
        return NULL;
    }
    struct across *a = mem_new_zero(m, struct across, 1);
    *a = (struct across){.last = growth(&s.past, m), .row_of = s.past.row_of, .rows = s.past.rows};
    groups_free(&s.said, m);
    return a;
}
