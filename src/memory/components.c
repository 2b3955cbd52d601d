/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/components.h"

#include "base/disjoint.h"

/* ---- finding them ---- */

/* Of each thread, and behind them of each variable: another one of the same component, or itself. */
static uint32_t *join(const struct rw *v, struct mem *m)
{
    uint32_t *parent = disjoint_new(v->k + v->d, m);
    for (uint32_t t = 0; t < v->k; t++)
        for (uint32_t e = v->base[t], last = ID_NONE; e < v->base[t + 1]; e++)
            if (v->var[e] != ID_NONE && v->var[e] != last) {
                last = v->var[e];
                disjoint_join(parent, t, v->k + last);
            }
    return parent;
}

/* The places of the members of each group. */
static uint32_t *places_in(const struct groups *g, uint32_t n, uint32_t count, struct mem *m)
{
    uint32_t *place = mem_new(m, uint32_t, n);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = g->at[c]; i < g->at[c + 1]; i++)
            place[g->list[i]] = i - g->at[c];
    return place;
}

struct components components_of(const struct rw *v, struct mem *m)
{
    struct components c = {.event = mem_new(m, uint32_t, v->n)};
    uint32_t *parent = join(v, m), *number = mem_new_ids(m, v->k + v->d), *of = mem_new(m, uint32_t, v->k + v->d);
    for (uint32_t i = 0; i < v->k + v->d; i++) {
        uint32_t r = v->across ? 0 : disjoint_root(parent, i);
        if (number[r] == ID_NONE)
            number[r] = c.count++;
        of[i] = number[r];
    }
    c.threads = group_by(of, v->k, c.count, m);
    c.variables = group_by(of + v->k, v->d, c.count, m);
    c.thread = places_in(&c.threads, v->k, c.count, m);
    c.variable = places_in(&c.variables, v->d, c.count, m);
    for (uint32_t i = 0; i < c.count; i++)
        for (uint32_t j = c.threads.at[i], n = 0; j < c.threads.at[i + 1]; j++)
            for (uint32_t e = v->base[c.threads.list[j]]; e < v->base[c.threads.list[j] + 1]; e++)
                c.event[e] = n++;
    mem_free(m, parent);
    mem_free(m, number);
    mem_free(m, of);
    return c;
}

void components_free(struct components *c, struct mem *m)
{
    groups_free(&c->threads, m);
    groups_free(&c->variables, m);
    mem_free(m, c->event);
    mem_free(m, c->thread);
    mem_free(m, c->variable);
}

/* ---- the view of one ---- */

static void copy_event(const struct components *c, const struct rw *v, struct rw *out, uint32_t e)
{
    uint32_t to = c->event[e], src = v->src[e];
    out->thread[to] = c->thread[v->thread[e]];
    out->var[to] = v->var[e] == ID_NONE ? ID_NONE : c->variable[v->var[e]];
    out->src[to] = (v->kind[e] & RW_READS) && src < RW_UNSAID ? c->event[src] : src;
    out->op[to] = v->op[e];
    out->kind[to] = v->kind[e];
    out->reads += v->kind[e] & RW_READS ? 1 : 0;
    out->writes += v->kind[e] & RW_WRITES ? 1 : 0;
}

static void copy_events(const struct components *c, uint32_t number, const struct rw *v, struct rw *out, struct mem *m)
{
    const uint32_t *threads = c->threads.list + c->threads.at[number];
    out->base = mem_new(m, uint32_t, (size_t)out->k + 1);
    for (uint32_t i = 0; i < out->k; i++) {
        out->base[i] = out->n;
        out->n += v->base[threads[i] + 1] - v->base[threads[i]];
    }
    out->base[out->k] = out->n;
    out->thread = mem_new(m, uint32_t, out->n);
    out->var = mem_new(m, uint32_t, out->n);
    out->src = mem_new(m, uint32_t, out->n);
    out->op = mem_new(m, uint32_t, out->n);
    out->kind = out->does = mem_new(m, uint8_t, out->n);
    out->a = out->n;
    out->keys = out->d;
    for (uint32_t i = 0; i < out->k; i++)
        for (uint32_t e = v->base[threads[i]]; e < v->base[threads[i] + 1]; e++)
            copy_event(c, v, out, e);
}

static void copy_writes(const struct components *c, uint32_t number, const struct rw *v, struct rw *out, struct mem *m)
{
    const uint32_t *variables = c->variables.list + c->variables.at[number];
    uint32_t groups = 0, writes = 0;
    for (uint32_t i = 0; i < out->d; i++)
        groups += v->groups_of[variables[i] + 1] - v->groups_of[variables[i]];
    out->groups_of = mem_new(m, uint32_t, (size_t)out->d + 1);
    out->groups = mem_new(m, struct rw_group, (size_t)groups + 1);
    out->idx = mem_new(m, uint32_t, out->writes);
    groups = 0;
    for (uint32_t i = 0; i < out->d; i++) {
        out->groups_of[i] = groups;
        for (uint32_t g = v->groups_of[variables[i]]; g < v->groups_of[variables[i] + 1]; g++) {
            out->groups[groups++] = (struct rw_group){c->thread[v->groups[g].thread], writes};
            for (uint32_t j = v->groups[g].from; j < v->groups[g + 1].from; j++)
                out->idx[writes++] = v->idx[j];
        }
    }
    out->groups_of[out->d] = groups;
    out->groups[groups] = (struct rw_group){ID_NONE, writes};
}

static void copy_final(const struct components *c, uint32_t number, const struct rw *v, struct rw *out, struct mem *m)
{
    const uint32_t *variables = c->variables.list + c->variables.at[number];
    out->final = mem_new(m, uint32_t, out->d);
    for (uint32_t i = 0; i < out->d; i++) {
        uint32_t last = v->final[variables[i]];
        out->final[i] = last < RW_UNSAID ? c->event[last] : last;
    }
}

void components_view(const struct components *c, uint32_t number, const struct rw *v, struct rw *out, struct mem *m)
{
    *out = (struct rw){.k = c->threads.at[number + 1] - c->threads.at[number],
                       .d = c->variables.at[number + 1] - c->variables.at[number],
                       .circular = ID_NONE,
                       .thin = ID_NONE,
                       .twice = {ID_NONE, ID_NONE}};
    copy_events(c, number, v, out, m);
    copy_writes(c, number, v, out, m);
    if (v->final)
        copy_final(c, number, v, out, m);
}
