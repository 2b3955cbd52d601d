/* SPDX-License-Identifier: Apache-2.0 */
/* SC, TSO and PSO: some total order ww of each variable's writes, the initial one first, makes
 * order U wr U ww U rw[ww] acyclic in each view.
 *
 * All orders are tried, one write after the other. When w is placed next among the writes of its variable, the
 * remaining writes come later. ww leads from w to each of them, and rw from each reader of w. When nothing is left to
 * place, these are all pairs of ww and rw. Pairs are only added, so that a cycle ends an attempt at once.
 *
 * Invariant: the relations in struct attempt are transitively closed and acyclic. */
#include "baseline/brute_conditions.h"

struct search {
    const struct graph *g;
    uint32_t views;
    struct budget *budget;
};

struct attempt {
    set rel[2][MOST_NODES];
    set left;                    /* writes to be placed */
    uint32_t latest[MOST_NODES]; /* of a write: the one placed last among those of its variable */
};

/* Adds pairs from a to all of `to`; false if that makes a cycle. */
static bool add_pairs(set *closed, uint32_t n, uint32_t a, set to)
{
    set gained = to;
    for (set rest = to; rest;)
        gained |= closed[take(&rest)];
    if (has(gained, a))
        return false;
    for (uint32_t p = 0; p < n; p++)
        if (p == a || has(closed[p], a))
            closed[p] |= gained;
    return true;
}

static bool add_store_order(const struct graph *g, set *closed, uint32_t w, set later)
{
    bool fine = add_pairs(closed, g->n, w, later);
    for (set readers = g->wr[w]; readers && fine;) {
        uint32_t r = take(&readers);
        fine = add_pairs(closed, g->n, r, later & ~just(r));
    }
    return fine;
}

/* Places w before the others that are left of its variable; false if that cannot be. */
static bool place(const struct search *s, struct attempt *a, uint32_t w)
{
    const struct graph *g = s->g;
    set later = a->left & g->writers[w] & ~just(w);
    if (g->node[w].reads && a->latest[w] != g->node[w].source) /* an rmw */
        return false;
    for (uint32_t i = 0; i < s->views; i++)
        if (!add_store_order(g, a->rel[i], w, later))
            return false;
    a->left &= ~just(w);
    for (set rest = later; rest;)
        a->latest[take(&rest)] = w;
    return true;
}

static bool complete(const struct search *s, const struct attempt *a)
{
    if (!a->left)
        return true;
    budget_tick(s->budget);
    uint32_t top = 63 - (uint32_t)__builtin_clzll(a->left);
    bool initial = has(s->g->initial, top); /* they have the highest numbers: placed first of all */
    for (set next = initial ? just(top) : a->left & s->g->writers[top]; next;) {
        struct attempt more = *a;
        if (place(s, &more, take(&next)) && complete(s, &more))
            return true;
    }
    return false;
}

/* The variable's write of this value, or ID_NONE. */
static uint32_t writer_of(const struct graph *g, set writers, struct value value)
{
    while (writers) {
        uint32_t w = take(&writers);
        if (value_same(g->node[w].written, value))
            return w;
    }
    return ID_NONE;
}

/* The write of a variable's declared last value comes after the others; false if there is none, or
 * if that makes a cycle. */
static bool place_last(const struct search *s, struct attempt *a, uint32_t initial)
{
    const struct graph *g = s->g;
    struct value value;
    if (!graph_binding(g->h->final.at, g->h->final.n, g->node[initial].key, &value))
        return true;
    uint32_t last = writer_of(g, g->writers[initial], value);
    if (last == ID_NONE)
        return false;
    for (set earlier = g->writers[initial] & ~just(last); earlier;) {
        uint32_t v = take(&earlier);
        for (uint32_t i = 0; i < s->views; i++)
            if (!add_pairs(a->rel[i], g->n, v, just(last)))
                return false;
    }
    return true;
}

/* Variables that no operation takes part in keep their initial values. */
static bool untouched_are_final(const struct graph *g)
{
    const history *h = g->h;
    for (uint32_t i = 0; i < h->final.n; i++) {
        struct value key = h->final.at[i].key, value;
        bool touched = key.kind == ASSAY_NONE;
        for (uint32_t a = 0; a < g->n && !touched; a++)
            touched = value_same(g->node[a].key, key);
        if (!touched && graph_binding(h->final.at, h->final.n, key, &value) &&
            !value_same(graph_initial_value(h, key), value))
            return false;
    }
    return true;
}

static bool fits_final(const struct search *s, struct attempt *a)
{
    bool fine = untouched_are_final(s->g);
    for (set initial = s->g->initial; initial && fine;)
        fine = place_last(s, a, take(&initial));
    return fine;
}

enum pattern brute_store(const struct graph *g, const struct views *views, struct budget *budget)
{
    struct search s = {g, views->n, budget};
    struct attempt a = {.left = g->writes};
    for (uint32_t i = 0; i < views->n; i++) {
        graph_closed(g, &views->at[i], NULL, a.rel[i]);
        if (rows_cyclic(a.rel[i], g->n))
            return PATTERN_NoStoreOrder;
    }
    return fits_final(&s, &a) && complete(&s, &a) ? PATTERN_NONE : PATTERN_NoStoreOrder;
}
