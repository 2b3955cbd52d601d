/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/causal.h"

#include "memory/chain_clock.h"

#include <string.h>

/* ---- clocks ---- */

static uint32_t *demand_row(const struct causal *c, uint32_t r)
{
    return c->demands + (size_t)r * c->v->k;
}

static uint32_t unplaced_source(void *arg, uint32_t e)
{
    struct causal *c = arg;
    return advance_unplaced_source(&c->sort, c->v, e);
}

/* Adds the clock of the read e to the joined clocks of the readers of its source, or of the initial value. */
static void demand(struct causal *c, uint32_t e)
{
    const struct rw *v = c->v;
    uint32_t *slot = v->src[e] == RW_INIT ? &c->initial[v->var[e]] : &c->demand_of[v->src[e]];
    uint32_t t = v->thread[e], position = e - v->base[t];
    const uint32_t *clock = pasts_row(&c->past, e);
    if (*slot == ID_NONE) {
        *slot = c->demand_count++;
        memcpy(demand_row(c, *slot), clock, v->k * sizeof *clock);
        demand_row(c, *slot)[t] = position;
        return;
    }
    uint32_t *d = demand_row(c, *slot);
    uint32_t own = d[t] > position ? d[t] : position;
    clock_join(d, clock, v->k);
    d[t] = own;
}

static void place_causal(void *arg, uint32_t e)
{
    struct causal *c = arg;
    const struct rw *v = c->v;
    pasts_place(&c->past, e, NULL);
    c->position[e] = c->placed;
    c->order[c->placed++] = e;
    if (v->kind[e] & RW_READS)
        demand(c, e);
}

bool causal_build(struct causal *c, const struct rw *v, struct mem *m, struct budget *budget, struct stats *stats)
{
    uint32_t sources = (v->reads < v->writes ? v->reads : v->writes) + v->d;
    *c = (struct causal){.v = v, .m = m, .stats = stats};
    pasts_init(&c->past, v, PAST_PO, NULL, m);
    c->order = mem_new(m, uint32_t, v->n);
    c->position = mem_new(m, uint32_t, v->n);
    c->demand_of = mem_new_ids(m, v->n);
    c->demands = mem_new(m, uint32_t, (size_t)sources * v->k);
    c->initial = mem_new_ids(m, v->d);
    advance_init(&c->sort, v, m);
    c->acyclic = advance_sort(&c->sort, unplaced_source, place_causal, c, budget);
    stats->steps += c->placed;
    stats->clock_rows += c->past.count;
    return c->acyclic;
}

/* ---- demands ---- */

static bool initial_reads_fine(struct causal *c, uint32_t *later)
{
    const struct rw *v = c->v;
    for (uint32_t x = 0; x < v->d; x++) {
        if (c->initial[x] == ID_NONE)
            continue;
        const uint32_t *known = demand_row(c, c->initial[x]);
        for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
            uint32_t u = v->groups[g].thread, first = v->idx[v->groups[g].from];
            if (first < known[u]) {
                *later = v->base[u] + first;
                return false;
            }
        }
    }
    return true;
}

/* Turns the joined clocks of w's readers into demands. False: *later is demanded although w is among its
 * causes. */
static bool demands_of(struct causal *c, uint32_t w, uint32_t *last, uint32_t *later)
{
    const struct rw *v = c->v;
    uint32_t x = v->var[w], t = v->thread[w];
    uint32_t *known = demand_row(c, c->demand_of[w]);
    const uint32_t *past = pasts_row(&c->past, w);
    memset(last, 0, v->k * sizeof *last);
    bool any = false;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
        uint32_t u = v->groups[g].thread, done = u == t ? w - v->base[t] + 1 : past[u];
        if (known[u] <= done)
            continue;
        uint32_t at = rw_last_before(v, g, known[u]), e = v->base[u] + at;
        c->stats->lookups++;
        if (at == ID_NONE || at < done)
            continue;
        /* An event placed before w cannot have w as a cause; for the others the clock tells. */
        if (c->position[e] > c->position[w] && causal_before(c, w, e)) {
            *later = e;
            return false;
        }
        last[u] = at + 1;
        any = true;
    }
    if (any)
        memcpy(known, last, v->k * sizeof *last);
    else
        c->demand_of[w] = ID_NONE;
    return true;
}

bool causal_demands(struct causal *c, struct budget *budget, uint32_t *source, uint32_t *later)
{
    const struct rw *v = c->v;
    *source = RW_INIT;
    if (!initial_reads_fine(c, later))
        return false;
    uint32_t *last = mem_new(c->m, uint32_t, v->k);
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++) /* by variable, so that its writes stay in the cache */
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++) {
            uint32_t w = rw_write(v, g, i);
            budget_tick(budget);
            if (c->demand_of[w] != ID_NONE && !demands_of(c, w, last, later)) {
                *source = w;
                return false;
            }
        }
    mem_free(c->m, last);
    return true;
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
    if (source != ID_NONE || s->c->demand_of[e] == ID_NONE)
        return source;
    const uint32_t *need = demand_row(s->c, s->c->demand_of[e]);
    uint32_t u = clock_missing(s->sort->done, need, v->k);
    return u == ID_NONE ? ID_NONE : v->base[u] + need[u] - 1;
}

static void place_converging(void *arg, uint32_t e)
{
    struct converging *s = arg;
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
