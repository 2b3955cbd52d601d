/* SPDX-License-Identifier: Apache-2.0 */
#include "history/candidates.h"

#include "history/value_ids.h"

#include <string.h>

struct gathering {
    const history *h;
    const struct rw *v;
    struct mem *m;
    struct candidates *c;
    struct value_ids values;
    struct idmap pairs;       /* variable and value -> number */
    uint32_t *written, *read; /* event -> number of what it writes and reads, or ID_NONE */
    struct groups writers;    /* number -> events that write it */
    uint32_t *final;          /* variable -> number of its declared final value, or ID_NONE */
    VEC(uint32_t) sources, finals;
};

static uint32_t number_of(struct gathering *g, uint32_t x, struct value value)
{
    uint32_t *id = idmap_at(g->m, &g->pairs, (uint64_t)x << 32 | value_id(g->m, &g->values, value));
    if (*id == ID_NONE)
        *id = g->pairs.n - 1;
    return *id;
}

/* What every operation says, also of those that take no part. */
static void gather(struct gathering *g)
{
    const history *h = g->h;
    const struct rw *v = g->v;
    g->written = mem_new(g->m, uint32_t, v->n);
    g->read = mem_new(g->m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t o = v->op[e];
        const char *method = history_text(h, h->method[o]);
        bool write = strcmp(method, "write") == 0, rmw = strcmp(method, "rmw") == 0;
        bool read = strcmp(method, "read") == 0 && !history_pending(h, o);
        g->written[e] = g->read[e] = ID_NONE;
        if (read)
            g->read[e] = number_of(g, v->var[e], history_result(h, o));
        if (rmw)
            g->read[e] = number_of(g, v->var[e], history_arg(h, o, 1));
        if (write || rmw)
            g->written[e] = number_of(g, v->var[e], history_arg(h, o, rmw ? 2 : 1));
    }
}

static bool writes_initial(struct gathering *g, uint32_t e, uint32_t number)
{
    return number_of(g, g->v->var[e], rw_initial(g->h, g->v->op[e])) == number;
}

/* The final value of each variable that the history declares one of. */
static void number_finals(struct gathering *g)
{
    const struct rw *v = g->v;
    const history *h = g->h;
    uint32_t *some = mem_new(g->m, uint32_t, v->d);
    g->final = mem_new(g->m, uint32_t, v->d);
    for (uint32_t e = 0; e < v->n; e++)
        if (v->var[e] != ID_NONE)
            some[v->var[e]] = e;
    for (uint32_t x = 0; x < v->d; x++) {
        struct value key = history_arg(h, v->op[some[x]], 0);
        const struct binding *said = NULL; /* of the variable itself, else of all variables */
        for (uint32_t i = 0; i < h->final.n; i++) {
            const struct binding *b = &h->final.at[i];
            if (value_same(b->key, key) || (b->key.kind == ASSAY_NONE && !(said && said->key.kind)))
                said = b;
        }
        g->final[x] = said ? number_of(g, x, said->value) : ID_NONE;
    }
    mem_free(g->m, some);
}

/* An event that is pending, writes what others write, too, and that somebody reads, or that is to be the last. */
static uint32_t find_pending(struct gathering *g)
{
    const struct rw *v = g->v;
    bool *wanted = mem_new_zero(g->m, bool, (size_t)g->pairs.n + 1);
    uint32_t found = ID_NONE;
    for (uint32_t e = 0; e < v->n; e++)
        if (g->read[e] != ID_NONE)
            wanted[g->read[e]] = true;
    for (uint32_t x = 0; x < v->d; x++)
        if (g->final[x] != ID_NONE)
            wanted[g->final[x]] = true;
    for (uint32_t e = 0; e < v->n && found == ID_NONE; e++) {
        uint32_t number = g->written[e];
        if (number == ID_NONE || !history_pending(g->h, v->op[e]) || !wanted[number])
            continue;
        if (g->writers.at[number + 1] - g->writers.at[number] > 1 || writes_initial(g, e, number))
            found = v->op[e];
    }
    mem_free(g->m, wanted);
    return found;
}

static void add_sources(struct gathering *g, uint32_t e)
{
    uint32_t number = g->read[e];
    if (writes_initial(g, e, number))
        vec_push(g->m, &g->sources, RW_INIT);
    for (uint32_t i = g->writers.at[number]; i < g->writers.at[number + 1]; i++)
        if (g->writers.list[i] != e && (g->v->kind[g->writers.list[i]] & RW_WRITES))
            vec_push(g->m, &g->sources, g->writers.list[i]);
}

/* The writes of the final value of each variable that the history declares one of. */
static void add_finals(struct gathering *g)
{
    const struct rw *v = g->v;
    for (uint32_t x = 0; x < v->d; x++) {
        g->c->final_at[x] = g->finals.n;
        for (uint32_t e = g->final[x] == ID_NONE ? v->n : 0; e < v->n; e++)
            if ((v->kind[e] & RW_WRITES) && g->written[e] == g->final[x])
                vec_push(g->m, &g->finals, e);
    }
    g->c->final_at[v->d] = g->finals.n;
}

struct candidates *candidates_of(const history *h, const struct rw *v, struct mem *m)
{
    struct candidates *c = mem_new_zero(m, struct candidates, 1);
    struct gathering g = {.h = h, .v = v, .m = m, .c = c};
    gather(&g);
    number_finals(&g);
    g.writers = group_by(g.written, v->n, g.pairs.n, m);
    c->pending = find_pending(&g);
    c->at = mem_new(m, uint32_t, (size_t)v->n + 1);
    for (uint32_t e = 0; e < v->n; e++) {
        c->at[e] = g.sources.n;
        if (v->kind[e] & RW_READS)
            add_sources(&g, e);
    }
    c->at[v->n] = g.sources.n;
    c->source = g.sources.at;
    c->final_at = mem_new(m, uint32_t, (size_t)v->d + 1);
    add_finals(&g);
    c->final = g.finals.at;
    return c;
}
