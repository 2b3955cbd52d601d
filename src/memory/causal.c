/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/causal.h"

/* ---- clocks ---- */

static uint32_t unplaced_source(void *arg, uint32_t e)
{
    struct causal *c = arg;
    return advance_unplaced_source(&c->sort, c->v, e);
}

static bool has_source(const struct rw *v, uint32_t e)
{
    return e < v->n && v->src[e] < RW_THIN;
}

/* After e its thread mostly goes on. */
static void look_ahead(const struct causal *c, uint32_t e)
{
    const struct rw *v = c->v;
    if (has_source(v, e + CAUSAL_FAR)) {
        prefetch(&v->thread[v->src[e + CAUSAL_FAR]]);
        prefetch(&c->past.row_of[v->src[e + CAUSAL_FAR]]);
    }
    if (has_source(v, e + CAUSAL_NEAR) && advance_placed(&c->sort, v->src[e + CAUSAL_NEAR]))
        causal_ask_for_row(c, c->past.row_of[v->src[e + CAUSAL_NEAR]]);
}

static void place_causal(void *arg, uint32_t e)
{
    struct causal *c = arg;
    look_ahead(c, e);
    pasts_place(&c->past, e, NULL);
    c->order[c->placed++] = e;
}

bool causal_build(struct causal *c, const struct rw *v, struct mem *m, struct budget *budget, struct stats *stats)
{
    *c = (struct causal){.v = v, .m = m, .stats = stats};
    pasts_init(&c->past, v, PAST_PO, NULL, m);
    c->order = mem_new(m, uint32_t, v->n);
    advance_init(&c->sort, v, m);
    c->acyclic = advance_sort(&c->sort, unplaced_source, place_causal, c, budget);
    stats->steps += c->placed;
    stats->clock_rows += c->past.count;
    return c->acyclic;
}

uint32_t *causal_positions(const struct causal *c)
{
    uint32_t *position = mem_new(c->m, uint32_t, c->v->n);
    for (uint32_t i = 0; i < c->placed; i++)
        position[c->order[i]] = i;
    return position;
}

/* ---- convergence ---- */

struct converging {
    struct causal *c;
    struct advance *sort;
    uint32_t *order;
    uint32_t count;
};

static uint32_t unplaced_cause(void *arg, uint32_t e)
{
    struct converging *s = arg;
    const struct rw *v = s->c->v;
    uint32_t source = advance_unplaced_source(s->sort, v, e);
    if (source != ID_NONE)
        return source;
    for (const struct demand *d = causal_demands_of(s->c, e); d->thread != ID_NONE; d++)
        if (s->sort->done[d->thread] < d->count)
            return v->base[d->thread] + d->count - 1;
    return ID_NONE;
}

static void place_converging(void *arg, uint32_t e)
{
    struct converging *s = arg;
    const struct rw *v = s->c->v;
    if (has_source(v, e + CAUSAL_NEAR))
        prefetch(&v->thread[v->src[e + CAUSAL_NEAR]]);
    if (e + CAUSAL_NEAR < v->n)
        prefetch(causal_demands_of(s->c, e + CAUSAL_NEAR));
    if (s->order)
        s->order[s->count] = e;
    s->count++;
}

bool causal_converges(struct causal *c, struct advance *sort, struct budget *budget, uint32_t *order, uint32_t *count)
{
    struct converging s = {c, sort, order, 0};
    advance_init(sort, c->v, c->m);
    bool acyclic = advance_sort(sort, unplaced_cause, place_converging, &s, budget);
    c->stats->steps += s.count;
    *count = s.count;
    return acyclic;
}
