/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/candidates.h"

#include "memory/accesses.h"

struct gathering {
    const struct rw *v;
    struct mem *m;
    struct candidates *c;
    struct accesses a;
    struct groups writers; /* of a value: the events that write it */
    VEC(uint32_t) sources, finals;
};

static void add_sources(struct gathering *g, uint32_t e)
{
    uint32_t value = g->a.read[e];
    if (g->a.initial[g->v->var[e]] == value)
        vec_push(g->m, &g->sources, RW_INIT);
    for (uint32_t i = g->writers.at[value]; i < g->writers.at[value + 1]; i++)
        if (g->writers.list[i] != e)
            vec_push(g->m, &g->sources, g->writers.list[i]);
}

/* Does some write of the variable take part for certain? */
static bool surely_written(const struct rw *v, uint32_t x)
{
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
            if (!v->open || !v->open[rw_write(v, g, i)])
                return true;
    return false;
}

static void add_finals(struct gathering *g, uint32_t x)
{
    uint32_t value = g->a.final[x];
    if (value == ID_NONE)
        return;
    if (g->a.initial[x] == value && !surely_written(g->v, x))
        vec_push(g->m, &g->finals, RW_INIT);
    for (uint32_t i = g->writers.at[value]; i < g->writers.at[value + 1]; i++)
        vec_push(g->m, &g->finals, g->writers.list[i]);
}

struct candidates *candidates_of(const history *h, const struct rw *v, struct mem *m)
{
    struct candidates *c = mem_new_zero(m, struct candidates, 1);
    struct gathering g = {.v = v, .m = m, .c = c, .a = accesses_of(h, v, v->final, m)};
    g.writers = group_by(g.a.written, v->n, g.a.count, m);
    c->at = mem_new(m, uint32_t, (size_t)v->n + 1);
    for (uint32_t e = 0; e < v->n; e++) {
        c->at[e] = g.sources.n;
        if (v->kind[e] & RW_READS)
            add_sources(&g, e);
    }
    c->at[v->n] = g.sources.n;
    c->source = g.sources.at;
    c->final_at = mem_new(m, uint32_t, (size_t)v->d + 1);
    for (uint32_t x = 0; x < v->d; x++) {
        c->final_at[x] = g.finals.n;
        add_finals(&g, x);
    }
    c->final_at[v->d] = g.finals.n;
    c->final = g.finals.at;
    groups_free(&g.writers, m);
    accesses_free(&g.a, m);
    return c;
}

static bool is_open(const struct rw *v, uint32_t e)
{
    return e < v->n && v->open[e];
}

/* Follows sources from e on, as far as they are open. */
static void follow(const struct rw *v, const uint32_t *src, bool *happened, uint32_t e)
{
    while ((v->kind[e] & RW_READS) && is_open(v, src[e]) && !happened[src[e]]) {
        e = src[e];
        happened[e] = true;
    }
}

void candidates_happened(const struct rw *v, const uint32_t *src, bool *happened)
{
    for (uint32_t e = 0; v->open && e < v->n; e++)
        if (!v->open[e] || happened[e])
            follow(v, src, happened, e);
}
