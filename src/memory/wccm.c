/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/wccm.h"

#include "memory/readers.h"

enum { PPO = WCCM_PPO, LOC = WCCM_LOC };

/* ---- the edges that the reads force ---- */

static bool derive(struct wccm *x)
{
    uint32_t before = x->force.edges.n;
    x->found = force_derive(&x->force, &x->read, &x->later);
    x->stats->forced += x->force.edges.n - before;
    return x->found == OBSERVED_FINE;
}

static bool force_thread(struct wccm *x, const struct pasts *co, uint32_t t)
{
    const struct rw *v = x->v;
    force_begin(&x->force, co);
    for (uint32_t e = v->base[t]; e < v->base[t + 1]; e++)
        if (v->kind[e] & RW_READS)
            force_read(&x->force, e);
    return derive(x);
}

static bool force_variable(struct wccm *x, const struct pasts *co, uint32_t chain)
{
    const struct chains *loc = &x->frames.frame[LOC].chains;
    force_begin(&x->force, co);
    for (uint32_t i = loc->start[chain]; i < loc->start[chain + 1]; i++)
        if (x->v->kind[loc->list[i]] & RW_READS)
            force_read(&x->force, loc->list[i]);
    return derive(x);
}

/* One of the two orders; its edges come behind those that are there. */
static bool force_all(struct wccm *x, uint32_t which)
{
    struct pasts co;
    uint32_t first = x->force.edges.n, chains = which == PPO ? x->v->k : x->frames.frame[LOC].chains.count;
    bool fine = true;
    x->which = which;
    pasts_init(&co, x->v, which == PPO ? PAST_PPO : PAST_LOC, &x->frames.frame[LOC].chains, x->m);
    for (uint32_t i = 0; i < x->c->placed; i++)
        pasts_place(&co, x->c->order[i], NULL);
    for (uint32_t i = 0; fine && i < chains; i++)
        fine = (which == PPO ? force_thread : force_variable)(x, &co, i);
    x->stats->clock_rows += co.count;
    pasts_free(&co);
    x->into[which] = force_into(&x->force, first, x->m);
    return fine;
}

/* ---- the clocks ---- */

static uint32_t unplaced_in_whb(void *arg, uint32_t e)
{
    struct wccm *x = arg;
    uint32_t source = advance_unplaced_source(&x->sort, x->v, e), first = x->all.at[e];
    return source != ID_NONE ? source : advance_first_unplaced(&x->sort, x->all.list + first, x->all.at[e + 1] - first);
}

static void place_in_whb(void *arg, uint32_t e)
{
    struct wccm *x = arg;
    x->stats->steps++;
    pasts_place(&x->whb, e, &x->all);
    pasts_place(&x->hb[PPO], e, &x->into[PPO]);
    pasts_place(&x->hb[LOC], e, &x->into[LOC]);
}

static bool close(struct wccm *x)
{
    const struct chains *loc = &x->frames.frame[LOC].chains;
    x->all = force_into(&x->force, 0, x->m);
    force_free_work(&x->force);
    pasts_init(&x->whb, x->v, PAST_PO, NULL, x->m);
    pasts_init(&x->hb[PPO], x->v, PAST_PPO, NULL, x->m);
    pasts_init(&x->hb[LOC], x->v, PAST_LOC, loc, x->m);
    advance_init(&x->sort, x->v, x->m);
    if (!advance_sort(&x->sort, unplaced_in_whb, place_in_whb, x, x->budget))
        return false;
    x->stats->clock_rows += x->whb.count + x->hb[PPO].count + x->hb[LOC].count;
    struct groups readers = last_readers(x->v, x->m);
    struct partial_pairs pairs = {&x->whb, {&x->hb[PPO], &x->hb[LOC]}, true};
    partial_build(&x->store, x->v, &pairs, &readers, 2 * x->v->k, x->frames.frame[PPO].chains.of, x->m, x->budget,
                  x->stats);
    groups_free(&readers, x->m);
    pasts_free(&x->whb);
    pasts_free(&x->hb[PPO]);
    pasts_free(&x->hb[LOC]);
    return true;
}

/* ---- the two graphs: events are numbered by their places in the chains ---- */

static uint32_t place_of(const struct wccm *x, uint32_t e)
{
    return x->chains->start[x->chains->of[e]] + x->chains->at[e];
}

static bool placed(const struct wccm *x, uint32_t e)
{
    return x->sort.done[x->chains->of[e]] > x->chains->at[e];
}

static uint32_t at_position(const struct wccm *x, uint32_t thread, uint32_t end)
{
    return x->v->base[thread] + end - 1;
}

/* The event that e waits for in the graph of ppo, or ID_NONE. */
static uint32_t missing_in_ppo(const struct wccm *x, uint32_t e)
{
    const struct rw *v = x->v;
    if (x->prior[e] != ID_NONE && !placed(x, x->prior[e]))
        return x->prior[e];
    if (reads_from_other_thread(v, e) && !placed(x, v->src[e]))
        return v->src[e];
    if (!(v->kind[e] & RW_WRITES))
        return ID_NONE;
    uint32_t l = partial_missing(&x->store, e, x->passed);
    return l == ID_NONE ? ID_NONE : at_position(x, l / 2, partial_row(&x->store, e)[l]);
}

/* The same in the graph of po-loc. Of a row's two entries for a thread the larger one is later in po-loc. */
static uint32_t missing_in_loc(const struct wccm *x, uint32_t e)
{
    const struct rw *v = x->v;
    if ((v->kind[e] & RW_READS) && v->src[e] < RW_THIN && !placed(x, v->src[e]))
        return v->src[e];
    if (!(v->kind[e] & RW_WRITES))
        return ID_NONE;
    const uint32_t *need = partial_row(&x->store, e);
    for (uint32_t u = 0; u < v->k; u++) {
        const uint32_t *pair = need + (size_t)2 * u;
        uint32_t end = pair[0] > pair[1] ? pair[0] : pair[1];
        if (end && !placed(x, at_position(x, u, end)))
            return at_position(x, u, end);
    }
    return ID_NONE;
}

static uint32_t unplaced_in_ppo(void *arg, uint32_t place)
{
    struct wccm *x = arg;
    uint32_t e = missing_in_ppo(x, x->chains->list[place]);
    return e == ID_NONE ? ID_NONE : place_of(x, e);
}

static uint32_t unplaced_in_loc(void *arg, uint32_t place)
{
    struct wccm *x = arg;
    uint32_t e = missing_in_loc(x, x->chains->list[place]);
    return e == ID_NONE ? ID_NONE : place_of(x, e);
}

static void place_in_ppo(void *arg, uint32_t place)
{
    struct wccm *x = arg;
    uint32_t e = x->chains->list[place];
    x->stats->steps++;
    x->passed[x->chains->of[e]] = e - x->v->base[x->v->thread[e]] + 1;
}

static void place_in_loc(void *arg, uint32_t place)
{
    struct wccm *x = arg;
    (void)place;
    x->stats->steps++;
}

static bool sort_graph(struct wccm *x, uint32_t which)
{
    x->which = which;
    x->chains = &x->frames.frame[which].chains;
    uint32_t places = x->chains->start[x->chains->count], *of = mem_new(x->m, uint32_t, places);
    for (uint32_t i = 0; i < places; i++)
        of[i] = x->chains->of[x->chains->list[i]];
    advance_init_lanes(&x->sort, (struct lanes){x->chains->count, x->chains->start, of}, x->m);
    bool acyclic = advance_sort(&x->sort, which == PPO ? unplaced_in_ppo : unplaced_in_loc,
                                which == PPO ? place_in_ppo : place_in_loc, x, x->budget);
    if (acyclic)
        mem_free(x->m, of);
    return acyclic;
}

uint32_t wccm_on_cycle(const struct wccm *x)
{
    uint32_t at = advance_on_cycle(&x->sort);
    return x->chains ? x->chains->list[at] : at;
}

enum wccm_verdict wccm_check(struct wccm *x, const struct causal *c, struct mem *m, struct budget *budget,
                             struct stats *stats)
{
    *x = (struct wccm){.c = c, .v = c->v, .m = m, .budget = budget, .stats = stats};
    frames_init(&x->frames, c->v, MEMORY_TSO, m);
    force_init(&x->force, c->v, m, budget, stats);
    bool fine = force_all(x, PPO);
    x->split = x->force.edges.n;
    if (!fine || !force_all(x, LOC))
        return WCCM_OBSERVED;
    if (!close(x))
        return WCCM_WHB;
    x->passed = mem_new_zero(m, uint32_t, (size_t)2 * c->v->k);
    x->prior = prior_in_buffers(c->v, m);
    return sort_graph(x, PPO) && sort_graph(x, LOC) ? WCCM_FINE : WCCM_STORE;
}
