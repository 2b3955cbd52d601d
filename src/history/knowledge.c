/* SPDX-License-Identifier: Apache-2.0 */
#include "history/knowledge.h"

struct link { /* the operation waits for another one; the next that waits for the same */
    uint32_t op, next;
};

struct closing {
    struct knowledge *k;
    struct mem *m;
    struct link *links;
    uint32_t link_n;
    uint32_t *first; /* of an operation: its first link, or ID_NONE */
    uint32_t *waits; /* the number of direct predecessors that are not done */
    VEC(uint32_t) ready;
};

static void wait_for(struct closing *x, uint32_t op, uint32_t thread, uint32_t count)
{
    if (!count)
        return;
    uint32_t from = knowledge_last(x->k, thread, count);
    x->links[x->link_n] = (struct link){op, x->first[from]};
    x->first[from] = x->link_n++;
    x->waits[op]++;
}

/* Links to the operations that wait: the last known operation of each thread is enough, program order does the rest. */
static void link_all(struct closing *x)
{
    const history *h = x->k->h;
    for (uint32_t o = 0; o < h->n; o++) {
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++)
            wait_for(x, o, h->after.at[i].thread, h->after.at[i].count);
        wait_for(x, o, h->thread[o], x->k->place[o]);
    }
}

static void know(const struct knowledge *k, uint32_t op, uint32_t known)
{
    uint32_t threads = k->h->threads.n;
    uint32_t *mine = k->rows + (size_t)op * threads;
    const uint32_t *theirs = knowledge_row(k, known);
    for (uint32_t t = 0; t < threads; t++)
        mine[t] = mine[t] > theirs[t] ? mine[t] : theirs[t];
    uint32_t *own = &mine[k->h->thread[known]], count = k->place[known] + 1;
    *own = *own > count ? *own : count;
}

/* How many operations come after their predecessors: all, unless there is a circle. */
static uint32_t visit(struct closing *x, struct budget *b)
{
    uint32_t done = 0;
    for (uint32_t o = 0; o < x->k->h->n; o++)
        if (!x->waits[o])
            vec_push(x->m, &x->ready, o);
    while (x->ready.n) {
        uint32_t from = vec_pop(&x->ready);
        done++;
        for (uint32_t i = x->first[from]; i != ID_NONE; i = x->links[i].next) {
            if (b)
                budget_tick(b);
            know(x->k, x->links[i].op, from);
            if (!--x->waits[x->links[i].op])
                vec_push(x->m, &x->ready, x->links[i].op);
        }
    }
    return done;
}

struct knowledge knowledge_of(const history *h, struct mem *m, struct budget *b)
{
    struct knowledge k = {.h = h, .by = history_by_thread(h, m), .circular = ID_NONE};
    k.place = mem_new(m, uint32_t, h->n);
    k.rows = mem_new_zero(m, uint32_t, mem_product(h->n, h->threads.n));
    for (uint32_t t = 0; t < h->threads.n; t++)
        for (uint32_t i = k.by.at[t]; i < k.by.at[t + 1]; i++)
            k.place[k.by.list[i]] = i - k.by.at[t];
    struct closing x = {.k = &k,
                        .m = m,
                        .links = mem_new(m, struct link, h->after.n + h->n),
                        .first = mem_new_ids(m, h->n),
                        .waits = mem_new_zero(m, uint32_t, h->n)};
    link_all(&x);
    if (visit(&x, b) < h->n)
        for (k.circular = 0; !x.waits[k.circular];)
            k.circular++;
    mem_free(m, x.links);
    mem_free(m, x.first);
    mem_free(m, x.waits);
    vec_free(m, &x.ready);
    return k;
}
