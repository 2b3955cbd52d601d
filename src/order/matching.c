/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: from each vertex that needs a mate and has none, a tree of alternating paths is grown (edges outside and inside the
 * matching in turn). Vertices at even distance are outer. An edge between two outer vertices closes a blossom, a cycle of
 * odd length, which is contracted to its base: all of its vertices become outer. The search ends well at a
 * vertex without a mate, or at an outer one that need not have its mate; the path from the root to it is
 * switched over, so that the root gets a mate and nobody loses one who needs it. So the tree never grows beyond a
 * vertex that need not have a mate, and its neighbours are not asked for.
 *
 * If it does not end well, there is no matching that covers all. Else let one be given: where the two matchings differ,
 * there is an alternating path from the root that ends in a vertex without a mate in one of them, and the tree finds
 * an even alternating path to every vertex that has one.
 *
 * Invariant: `parent` of an inner vertex, and of an outer one that a blossom made so by way of its mate, is the next on an
 * alternating path to the root.
 *
 * Source: Edmonds 1965. */
#include "order/matching.h"

#include "base/hash.h"

#include <string.h>

struct tree {
    struct matching *g;
    uint32_t root;
    uint32_t *parent, *base;
    bool *outer, *marked;
    VEC(uint32_t) queue;   /* outer vertices; the first `head` are done */
    VEC(uint32_t) touched; /* inner and outer */
    struct neighbours near;
};

static void touch(struct tree *t, uint32_t v)
{
    if (!t->outer[v] && t->parent[v] == ID_NONE)
        vec_push(t->g->mem, &t->touched, v);
}

/* The mate of v and the path from there are switched over, for v whose mate is or has become free. */
static void switch_over(struct tree *t, uint32_t v)
{
    uint32_t *mate = t->g->mate;
    while (v != ID_NONE) {
        uint32_t up = t->parent[v], next = mate[up];
        mate[v] = up;
        mate[up] = v;
        v = next;
    }
}

/* True: v can lose its mate, and the root has got one. */
static bool add_outer(struct tree *t, uint32_t v)
{
    touch(t, v);
    t->outer[v] = true;
    vec_push(t->g->mem, &t->queue, v);
    if (v == t->root || t->g->must[v])
        return false;
    uint32_t left = t->g->mate[v];
    t->g->mate[v] = ID_NONE;
    switch_over(t, left);
    return true;
}

/* The last common vertex of the ways from a and b to the root, blossoms contracted. */
static uint32_t common_base(struct tree *t, uint32_t a, uint32_t b)
{
    const uint32_t *mate = t->g->mate;
    for (uint32_t i = 0; i < t->touched.n; i++)
        t->marked[t->touched.at[i]] = false;
    for (a = t->base[a]; t->marked[a] = true, a != t->base[t->root]; a = t->base[t->parent[mate[a]]])
        continue;
    for (b = t->base[b]; !t->marked[b]; b = t->base[t->parent[mate[b]]])
        continue;
    return b;
}

/* Marks the blossom's bases from v up to its base, and lets the way from v go down to `child`. */
static void mark_side(struct tree *t, uint32_t v, uint32_t base, uint32_t child)
{
    const uint32_t *mate = t->g->mate;
    while (t->base[v] != base) {
        t->marked[t->base[v]] = t->marked[t->base[mate[v]]] = true;
        t->parent[v] = child;
        child = mate[v];
        v = t->parent[mate[v]];
    }
}

static bool contract(struct tree *t, uint32_t v, uint32_t w)
{
    uint32_t base = common_base(t, v, w);
    for (uint32_t i = 0; i < t->touched.n; i++)
        t->marked[t->touched.at[i]] = false;
    mark_side(t, v, base, w);
    mark_side(t, w, base, v);
    uint32_t n = t->touched.n;
    for (uint32_t i = 0; i < n; i++)
        if (t->marked[t->base[t->touched.at[i]]])
            t->base[t->touched.at[i]] = base;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = t->touched.at[i];
        if (t->base[x] == base && !t->outer[x] && add_outer(t, x))
            return true;
    }
    return false;
}

/* True: the root has got a mate. */
static bool visit(struct tree *t, uint32_t v)
{
    uint32_t *mate = t->g->mate;
    t->near.n = 0;
    t->g->list(t->g->context, v, &t->near);
    for (uint32_t i = 0; i < t->near.n; i++) {
        uint32_t w = t->near.at[i];
        if (t->base[v] == t->base[w] || mate[v] == w)
            continue;
        if (t->outer[w]) {
            if (contract(t, v, w))
                return true;
        } else if (t->parent[w] == ID_NONE) {
            touch(t, w);
            t->parent[w] = v;
            if (mate[w] == ID_NONE) {
                switch_over(t, w);
                return true;
            }
            if (add_outer(t, mate[w]))
                return true;
        }
    }
    return false;
}

static bool find_mate(struct tree *t, uint32_t root)
{
    t->root = root;
    bool found = false;
    add_outer(t, root);
    for (uint32_t head = 0; head < t->queue.n && !found; head++)
        found = visit(t, t->queue.at[head]);
    for (uint32_t i = 0; i < t->touched.n; i++) {
        uint32_t v = t->touched.at[i];
        t->parent[v] = ID_NONE;
        t->base[v] = v;
        t->outer[v] = false;
    }
    vec_clear(&t->touched);
    vec_clear(&t->queue);
    return found;
}

uint32_t matching_cover(struct matching *g)
{
    struct tree t = {.g = g,
                     .parent = mem_new(g->mem, uint32_t, g->n),
                     .base = mem_new(g->mem, uint32_t, g->n),
                     .outer = mem_new_zero(g->mem, bool, g->n),
                     .marked = mem_new_zero(g->mem, bool, g->n)};
    memset(t.parent, 0xFF, g->n * sizeof *t.parent);
    for (uint32_t v = 0; v < g->n; v++)
        t.base[v] = v;
    for (uint32_t v = 0; v < g->n; v++)
        if (g->must[v] && g->mate[v] == ID_NONE && !find_mate(&t, v))
            return v;
    return ID_NONE;
}
