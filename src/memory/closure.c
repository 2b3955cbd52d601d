/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/closure.h"

#include "memory/chain_clock.h"

struct closing {
    struct closure *c;
    struct mem *m;
    struct budget *budget;
    bool *done;         /* per write */
    VEC(uint32_t) path; /* writes that wait for the writes before them */
};

static uint32_t *row(const struct closure *c, uint32_t w)
{
    return c->known + (size_t)c->p->row_of[w] * c->v->k;
}

/* The last write of the group that w waits for, or ID_NONE. */
static uint32_t awaited(const struct closure *c, uint32_t group, uint32_t w)
{
    const struct rw *v = c->v;
    uint32_t base = v->base[v->groups[group].thread];
    uint32_t at = rw_last_before(v, group, partial_row(c->p, w)[c->p->lane[rw_first_write(v, group)]]);
    if (at != ID_NONE && base + at == w)
        at = rw_last_before(v, group, at);
    return at == ID_NONE ? ID_NONE : base + at;
}

/* Joins the writes before w; false: a write must be closed first, and is on the path now. */
static bool close_row(struct closing *x, uint32_t w)
{
    struct closure *c = x->c;
    const struct rw *v = c->v;
    uint32_t var = v->var[w], waits = x->path.n;
    for (uint32_t g = v->groups_of[var]; g < v->groups_of[var + 1]; g++) {
        uint32_t before = awaited(c, g, w);
        if (before == ID_NONE)
            continue;
        if (!x->done[before]) {
            vec_push(x->m, &x->path, before);
            continue;
        }
        uint32_t *known = row(c, w), t = v->thread[before], end = before - v->base[t] + 1;
        clock_join(known, row(c, before), v->k);
        known[t] = known[t] > end ? known[t] : end;
    }
    return x->path.n == waits;
}

void closure_build(struct closure *c, const struct partial *p, struct mem *m, struct budget *budget)
{
    const struct rw *v = p->v;
    struct closing x = {.c = c, .m = m, .budget = budget};
    *c = (struct closure){.v = v, .p = p};
    c->known = mem_new_zero(m, uint32_t, (size_t)v->writes * v->k);
    x.done = mem_new_zero(m, bool, v->n);
    for (uint32_t e = 0; e < v->n; e++) {
        if (!(v->kind[e] & RW_WRITES))
            continue;
        vec_push(m, &x.path, e);
        while (x.path.n) {
            uint32_t w = vec_last(&x.path);
            budget_tick(budget);
            if (x.done[w] || close_row(&x, w)) {
                x.done[w] = true;
                x.path.n--;
            }
        }
    }
    vec_free(m, &x.path);
    mem_free(m, x.done);
}
