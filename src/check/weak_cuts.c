/* SPDX-License-Identifier: Apache-2.0 */
#include "check/weak_cuts.h"

#include "spec/facts.h"
#include "spec/roles.h"

enum kind { OTHER, QUEUE, STACK, PQUEUE, CELL, KEYED };

struct reading {
    const struct calls *c;
    bool swaps; /* some call of a register or memory may be blocked, or changes it for some values only */
};

static assay_value argument(const struct reading *r, uint32_t op, uint32_t i)
{
    return value_public(r->c->h, history_arg(r->c->h, op, i));
}

static assay_value result_of(const struct reading *r, uint32_t op)
{
    return value_public(r->c->h, history_result(r->c->h, op));
}

static bool is_collection(enum kind k)
{
    return k == QUEUE || k == STACK || k == PQUEUE;
}

static enum kind kind_of(const struct reading *r, uint32_t op)
{
    const struct object_use *use = objects_use(r->c->objects, op);
    const assay_spec *s = use->spec;
    bool plain = use->setting.parameter.kind == ASSAY_NONE;
    enum object_family family = facts_of(s)->family;
    if (family == FAMILY_REGISTER)
        return r->swaps ? OTHER : CELL;
    if (family == FAMILY_MEMBERS || family == FAMILY_MAP)
        return KEYED;
    return !plain ? OTHER : s == &spec_queue ? QUEUE : s == &spec_stack ? STACK : s == &spec_pqueue ? PQUEUE : OTHER;
}

/* Not all of happens-before, but each pair is in it. */
static bool happens_before(const struct calls *c, uint32_t a, uint32_t b)
{
    uint32_t k = c->h->threads.n;
    if (history_pending(c->h, a))
        return false;
    if (c->h->thread[a] == c->h->thread[b])
        return a < b;
    if (c->past && c->order == CALLS_AFTER)
        return c->index[a] < c->past[(size_t)b * k + c->h->thread[a]];
    return c->call && c->ret[a] < c->call[b];
}

static bool same_key(const struct reading *r, uint32_t a, uint32_t b)
{
    const struct objects *o = r->c->objects;
    bool keyed = objects_method(o, a)->key == 0 && objects_method(o, b)->key == 0;
    return !keyed || value_same(history_arg(r->c->h, a, 0), history_arg(r->c->h, b, 0));
}

static bool is_initial(const history *h, assay_value v)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (assay_value_same(value_public(h, h->init.at[i].value), v))
            return true;
    return false;
}

/* y adds a value, and x got w: is each call that adds w on the right side of y? */
static bool adds_apart(const struct reading *r, uint32_t y, uint32_t x, assay_value w, enum kind k)
{
    const struct calls *c = r->c;
    if (k == STACK && is_initial(c->h, w))
        return false;
    for (uint32_t z = 0; z < c->h->n; z++) {
        if (history_object_of(c->h, z) != history_object_of(c->h, x) || calls_method(c, z) != COLLECTION_ADD ||
            !assay_value_same(argument(r, z, 0), w))
            continue;
        if (k == QUEUE ? !happens_before(c, z, y) : !happens_before(c, y, z))
            return false;
    }
    return true;
}

static bool spoils_collection(const struct reading *r, uint32_t y, uint32_t x, enum kind k)
{
    assay_value w = result_of(r, x);
    if (calls_method(r->c, y) != COLLECTION_ADD)
        return true;
    if (assay_value_same(w, assay_word("empty")))
        return false;
    if (k != PQUEUE)
        return !adds_apart(r, y, x, w, k);
    assay_value v = argument(r, y, 0);
    return v.kind != ASSAY_INT || w.kind != ASSAY_INT || v.integer >= w.integer;
}

static bool spoils(const struct reading *r, uint32_t y, uint32_t x)
{
    const struct calls *c = r->c;
    assay_value args[4];
    if (x == y || happens_before(c, x, y) || history_object_of(c->h, x) != history_object_of(c->h, y) ||
        c->part_of[x] == ID_NONE || c->part_of[y] == ID_NONE)
        return false;
    if (history_arity(c->h, y) > sizeof args / sizeof *args)
        return true;
    assay_call call = calls_get(c, y, args);
    const assay_spec *spec = objects_use(c->objects, y)->spec;
    enum kind k = kind_of(r, y);
    bool told = !history_pending(c->h, x) && result_of(r, x).kind != ASSAY_NONE;
    if (spec_is_observer(spec, &call))
        return false;
    if (k == OTHER)
        return told || spec_may_block(spec);
    if (!told)
        return false;
    if (is_collection(k))
        return spoils_collection(r, y, x, k);
    return same_key(r, x, y) &&
           (k != CELL || assay_value_same(argument(r, y, history_arity(c->h, y) - 1), result_of(r, x)));
}

/* A register or a memory has one kind of calls that change it, unless there are swaps. */
static bool has_swaps(const struct calls *c)
{
    bool found = false;
    for (uint32_t op = 0; op < c->h->n; op++) {
        const assay_spec *s = objects_use(c->objects, op)->spec;
        found |= facts_of(s)->family == FAMILY_REGISTER && calls_method(c, op) == REGISTER_CAS;
    }
    return found;
}

bool *weak_cuts(const struct calls *c, struct mem *m)
{
    uint32_t n = c->h->n;
    struct reading r = {c, has_swaps(c)};
    bool *out = mem_new(m, bool, (size_t)n *n + 1);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            out[(size_t)y * n + x] = spoils(&r, y, x);
    return out;
}
