/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of saturate_matched.c: clearing dead entries, and growing and shrinking by powers of two with the live
 * ones. */
#include "theory/saturate_matched_private.h"

#include <string.h>

/* ---- one block for all tables ---- */

struct carving {
    char *room; /* NULL: only the size is asked for */
    size_t used;
};

static void *carve(struct carving *at, size_t bytes)
{
    void *piece = at->room ? at->room + at->used : NULL;
    at->used += (bytes + 15) & ~(size_t)15;
    return piece;
}

static size_t lay_out(struct matched *p, char *room)
{
    struct carving at = {room, 0};
    size_t nodes = (size_t)PLANES * p->cap, set = matched_words(p) * sizeof(uint64_t), plane = p->w * sizeof(uint64_t);
    p->pred = carve(&at, nodes * set);
    p->succ = carve(&at, nodes * set);
    uint64_t **sets[] = {&p->active, &p->closed, &p->past,    &p->base,    &p->late,
                         &p->ahead,  &p->dirty,  &p->sources, &p->targets, &p->nowhere};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        *sets[i] = carve(&at, set);
    uint64_t **planes[] = {&p->everywhere, &p->has_sees,   &p->misses,    &p->taken[0],
                           &p->taken[1],   &p->dropped[0], &p->dropped[1]};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        *planes[i] = carve(&at, plane);
    p->sees = carve(&at, p->cap * plane);
    p->higher = carve(&at, p->ranked ? p->cap * plane : 0);
    p->lower = carve(&at, p->ranked ? p->cap * plane : 0);
    p->source = carve(&at, nodes * sizeof *p->source);
    p->target = carve(&at, nodes * sizeof *p->target);
    p->since = carve(&at, nodes * sizeof *p->since);
    p->op = carve(&at, nodes * sizeof *p->op);
    p->pair_of = carve(&at, p->cap * sizeof *p->pair_of);
    p->value = carve(&at, p->cap * sizeof *p->value);
    p->again = carve(&at, p->cap * sizeof *p->again);
    return at.used;
}

static void allocate(struct matched *p, uint32_t w)
{
    p->w = w;
    p->cap = 64 * w;
    size_t bytes = lay_out(p, NULL);
    p->room = mem_zero(p->mem, bytes);
    lay_out(p, p->room);
    memset(p->everywhere, 0xff, w * sizeof *p->everywhere);
}

void matched_first_room(struct matched *p)
{
    allocate(p, 1);
    p->used = PLANE_OTHER;
}

void matched_free_room(struct matched *p)
{
    mem_free(p->mem, p->room);
}

/* ---- forgetting dead nodes ---- */

static void forget_facts(struct matched *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->facts.n; i++) {
        struct fact r = p->facts.at[i];
        if (!bitset_has(p->active, r.from) || !bitset_has(p->active, r.to))
            continue;
        if (r.rule != FACT_FORGOTTEN && (!bitset_has(p->active, r.finder) || !bitset_has(p->active, r.free)))
            r.rule = FACT_FORGOTTEN;
        p->facts.at[n++] = r;
    }
    p->facts.n = n;
}

static void forget_dead(struct matched *p)
{
    uint32_t n = matched_words(p);
    matched_renew_base(p);
    BITSET_EACH (node, i, n, p->active[i]) {
        uint64_t *before = matched_row(p, p->pred, node), *after = matched_row(p, p->succ, node);
        for (uint32_t k = 0; k < n; k++) {
            before[k] &= p->active[k];
            after[k] &= p->active[k];
        }
    }
    for (uint32_t k = 0; k < n; k++)
        p->past[k] &= p->active[k];
    for (uint32_t s = p->oldest; s != ID_NONE; s = p->open.at[s].next)
        for (uint32_t k = 0; k < n; k++)
            p->open_past[(size_t)s * n + k] &= p->active[k];
    for (uint32_t k = 0; k < p->settling.n; k++) {
        struct settling *s = &ring_at(&p->settling, k);
        if (s->node != ID_NONE && !(bitset_has(p->active, s->node) && p->op[s->node].returned == s->returned))
            s->node = ID_NONE;
    }
    forget_facts(p);
    for (int t = 0; t < 2; t++)
        for (uint32_t k = 0; k < p->w; k++) {
            p->taken[t][k] &= ~p->dropped[t][k];
            p->dropped[t][k] = 0;
        }
}

/* ---- another size: everything moves together, in the same order ---- */

struct move {
    const struct matched *from;
    struct matched *to;
    uint32_t *index[2]; /* new ones of pairs and of plane OTHER */
};

static uint32_t moved_node(const struct move *m, uint32_t node)
{
    uint32_t plane = node / m->from->cap;
    return plane * m->to->cap + m->index[plane == PLANE_OTHER][node % m->from->cap];
}

static void move_set(const struct move *m, const uint64_t *from, uint64_t *to)
{
    BITSET_EACH (at, i, matched_words(m->from), from[i] & m->from->active[i])
        bitset_add(to, moved_node(m, at));
}

static void move_plane(const struct move *m, int other, const uint64_t *from, uint64_t *to)
{
    BITSET_EACH (at, i, m->from->w, from[i] & m->from->taken[other][i])
        bitset_add(to, m->index[other][at]);
}

static void move_nodes(const struct move *m)
{
    const struct matched *old = m->from;
    struct matched *p = m->to;
    BITSET_EACH (node, i, matched_words(old), old->active[i]) {
        uint32_t to = moved_node(m, node);
        move_set(m, matched_row(old, old->pred, node), matched_row(p, p->pred, to));
        move_set(m, matched_row(old, old->succ, node), matched_row(p, p->succ, to));
        p->since[to] = old->since[node];
        p->op[to] = old->op[node];
    }
    move_set(m, old->active, p->active);
    move_set(m, old->closed, p->closed);
    move_set(m, old->past, p->past);
    move_set(m, old->base, p->base);
    move_set(m, old->ahead, p->ahead);
    move_set(m, old->dirty, p->dirty);
    move_plane(m, 0, old->has_sees, p->has_sees);
    move_plane(m, 1, old->misses, p->misses);
    move_plane(m, 0, old->taken[0], p->taken[0]);
    move_plane(m, 1, old->taken[1], p->taken[1]);
}

static void move_pairs(const struct move *m)
{
    const struct matched *old = m->from;
    struct matched *p = m->to;
    for (uint32_t i = 0; i < old->cap; i++) {
        uint32_t to = m->index[0][i];
        if (bitset_has(old->taken[0], i)) {
            move_plane(m, 1, old->sees + (size_t)i * old->w, p->sees + (size_t)to * p->w);
            if (p->ranked) {
                move_plane(m, 0, old->higher + (size_t)i * old->w, p->higher + (size_t)to * p->w);
                move_plane(m, 0, old->lower + (size_t)i * old->w, p->lower + (size_t)to * p->w);
            }
            p->value[to] = old->value[i];
            p->again[to] = old->again[i];
        }
        if (bitset_has(old->taken[1], i))
            p->pair_of[m->index[1][i]] = old->pair_of[i] == ID_NONE ? ID_NONE : m->index[0][old->pair_of[i]];
    }
    for (uint32_t i = 0; p->pairs.slots && i <= p->pairs.mask; i++)
        if (p->pairs.slots[i].id != ID_NONE)
            p->pairs.slots[i].id = m->index[0][p->pairs.slots[i].id];
}

static void move_calls(const struct move *m)
{
    const struct matched *old = m->from;
    struct matched *p = m->to;
    p->open_past = mem_new_zero(p->mem, uint64_t, (size_t)p->open.n * matched_words(p));
    for (uint32_t s = p->oldest; s != ID_NONE; s = p->open.at[s].next) {
        move_set(m, old->open_past + (size_t)s * matched_words(old), p->open_past + (size_t)s * matched_words(p));
        if (p->open.at[s].pair != ID_NONE)
            p->open.at[s].pair = m->index[0][p->open.at[s].pair];
    }
    mem_free(p->mem, old->open_past);
    for (uint32_t k = 0; k < p->settling.n; k++) {
        struct settling *s = &ring_at(&p->settling, k);
        if (s->node != ID_NONE)
            s->node = moved_node(m, s->node);
    }
    for (uint32_t i = 0; i < p->facts.n; i++) {
        struct fact *r = &p->facts.at[i];
        r->from = moved_node(m, r->from);
        r->to = moved_node(m, r->to);
        if (r->rule != FACT_FORGOTTEN) {
            r->finder = moved_node(m, r->finder);
            r->free = m->index[0][r->free];
        }
    }
}

static void resize(struct matched *p, uint32_t w)
{
    struct matched old = *p;
    struct move m = {&old, p, {mem_new(p->mem, uint32_t, old.cap), mem_new(p->mem, uint32_t, old.cap)}};
    for (int t = 0; t < 2; t++)
        for (uint32_t i = 0, n = 0; i < old.cap; i++)
            m.index[t][i] = bitset_has(old.taken[t], i) ? n++ : ID_NONE;
    allocate(p, w);
    move_nodes(&m);
    move_pairs(&m);
    move_calls(&m);
    mem_free(p->mem, old.room);
    mem_free(p->mem, m.index[0]);
    mem_free(p->mem, m.index[1]);
}

void matched_make_room(struct matched *p)
{
    forget_dead(p);
    size_t most = 0;
    for (int t = 0; t < 2; t++) {
        size_t n = bitset_count(p->taken[t], p->cap);
        most = n > most ? n : most;
    }
    if (4 * most > 3 * (size_t)p->cap)
        resize(p, 2 * p->w);
    else if (3 * most < p->cap && p->w > 1)
        resize(p, p->w / 2);
    p->used = bitset_next(p->taken[1], p->cap, 0) < p->cap ? matched_words(p) : PLANE_OTHER * p->w;
}
