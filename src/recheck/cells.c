/* SPDX-License-Identifier: Apache-2.0 */
/* The value that an operation on a register saw: could any operation have set it?
 *
 * A read, and a compare-and-swap that succeeded, see a value v. In a linearization the last call before it that set v,
 * or the initial value, is its source. A call that it happens before is no source. Let z happen before it, and show
 * another value than v. Then a call that happens before z is no source: v must have been set again after z. z shows
 * another value if it sees one, sets one, or is a compare-and-swap from v that failed. This holds in any
 * happens-before. One z is enough, so each call is looked at once. A search would go through the orders of all other
 * calls.
 *
 * A compare-and-swap from v that failed, and a contains-key that found its key, say that v was not there. Let z happen
 * before it, and leave v there. If each call that sets another value comes after it, or before z, then v was there.
 *
 * The same holds of a key of a map, a value of a set, and a lock. Their calls see and set one value, too. The calls of
 * other keys, and those that look at a whole map or set, are left out. A map that holds null is not judged: its results
 * do not tell whether the key is there. If the initial value may be any, it is a source, and z must be named. */
#include "recheck/cells.h"

#include "spec/roles.h"

enum { MOST_KEPT = 3 }; /* the culprit, and the calls that show another value */

struct cell_access cell_call_of(const struct object_view *v, uint32_t op)
{
    assay_call call = object_call(v, op);
    struct cell_access c = facts_cell(facts_of(v->parts.at[v->part[op]].use->spec), &call,
                                      history_pending(v->x->h, op));
    if (c.sees.kind != ASSAY_NONE && assay_value_same(c.sees, c.sets))
        c.sets = (assay_value){0}; /* then the value was there already */
    mem_free(v->x->mem, (void *)call.args);
    return c;
}

static bool differs(assay_value a, assay_value b)
{
    return a.kind != ASSAY_NONE && !assay_value_same(a, b);
}

static bool shows_another(const struct cell_access *c, assay_value value)
{
    return differs(c->sees, value) || differs(c->sets, value) ||
           (c->refuses.kind != ASSAY_NONE && assay_value_same(c->refuses, value));
}

bool cell_is(const struct object_part *p)
{
    const struct object_facts *f = facts_of(p->use->spec);
    return f->cell && (!f->by_key || p->key.kind != ASSAY_NONE);
}

static bool names_key(const struct object_view *v, uint32_t op)
{
    return objects_method(&v->objects, op)->key == 0;
}

/* The key that the operation is about, or none: the object has one cell. */
static struct value key_of(const struct object_view *v, uint32_t op)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    bool whole = p->key.kind == ASSAY_NONE && names_key(v, op);
    return whole ? history_arg(v->x->h, op, 0) : p->key;
}

/* Has the part such cells, and is the operation about one? The variables of a memory are parts of their own. */
static bool has_cell(const struct object_view *v, uint32_t op)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    const struct object_facts *f = facts_of(p->use->spec);
    return cell_is(p) || (f->cell && f->family != FAMILY_REGISTER && names_key(v, op));
}

static bool same_cell(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    if (v->part[a] != v->part[b])
        return false;
    if (v->parts.at[v->part[a]].key.kind != ASSAY_NONE || !names_key(v, a))
        return true;
    return names_key(v, b) && value_same(history_arg(h, a, 0), history_arg(h, b, 0));
}

static bool is_null(assay_value v)
{
    return assay_value_same(v, assay_word("null")) || assay_value_same(v, assay_word("nil"));
}

/* Of a map: is null put under the key of x, or perhaps there at first? */
static bool holds_null(const struct object_view *v, uint32_t x)
{
    const struct object_part *p = &v->parts.at[v->part[x]];
    const assay_setting setting = object_part_setting(p);
    if (p->use->spec != &spec_map)
        return false;
    if (object_is_any(v, p))
        return true;
    for (size_t i = 0; i < setting.init_count; i++)
        if (is_null(setting.init[i].value))
            return true;
    for (uint32_t y = 0; y < v->x->h->n; y++)
        if (object_counts(v, y) && same_cell(v, x, y) && objects_method(&v->objects, y)->id == MAP_PUT &&
            is_null(value_public(v->x->h, history_arg(v->x->h, y, 1))))
            return true;
    return false;
}

bool cell_is_initial(const struct object_view *v, uint32_t op, assay_value value)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    const assay_setting setting = object_part_setting(p);
    return assay_value_same(facts_of(p->use->spec)->cell_initial(&setting, value_public(v->x->h, key_of(v, op))),
                            value);
}

/* Has x no source that does not happen before z, or none at all if z is ID_NONE? */
static bool lacks_source(const struct object_view *v, uint32_t x, uint32_t z, assay_value value)
{
    if (z == ID_NONE && cell_is_initial(v, x, value))
        return false;
    for (uint32_t y = 0; y < v->x->h->n; y++) {
        budget_tick(v->x->budget);
        if (y == x || !object_counts(v, y) || !same_cell(v, x, y) || object_before(v, x, y))
            continue;
        struct cell_access c = cell_call_of(v, y);
        bool sets = c.sets.kind != ASSAY_NONE && assay_value_same(c.sets, value);
        if (sets && (z == ID_NONE || !object_before(v, y, z)))
            return false;
    }
    return true;
}

/* Is the value there until x, since z left it there, or from the start if z is ID_NONE? */
static bool stays(const struct object_view *v, uint32_t x, uint32_t z, assay_value value)
{
    if (z == ID_NONE && !cell_is_initial(v, x, value))
        return false;
    for (uint32_t y = 0; y < v->x->h->n; y++) {
        budget_tick(v->x->budget);
        if (y == x || y == z || !object_counts(v, y) || !same_cell(v, x, y) || object_before(v, x, y))
            continue;
        struct cell_access c = cell_call_of(v, y);
        if (differs(c.sets, value) && (z == ID_NONE || !object_before(v, y, z)))
            return false;
    }
    return true;
}

/* The value behind the call, if it is known. */
static assay_value left_by(const struct cell_access *c)
{
    return c->sets.kind != ASSAY_NONE ? c->sets : c->sees;
}

/* Does z tell that x cannot have seen the value, or that it must have been there? */
static bool contradicted_by(const struct object_view *v, uint32_t x, uint32_t z, const struct cell_access *told)
{
    if (z != ID_NONE && (z == x || !same_cell(v, x, z) || !object_before(v, z, x) || history_pending(v->x->h, z)))
        return false;
    struct cell_access c = z == ID_NONE ? (struct cell_access){0} : cell_call_of(v, z);
    if (told->sees.kind != ASSAY_NONE)
        return (z == ID_NONE || shows_another(&c, told->sees)) && lacks_source(v, x, z, told->sees);
    return (z == ID_NONE || assay_value_same(left_by(&c), told->refuses)) && stays(v, x, z, told->refuses);
}

bool object_cell_contradicts(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    const history *h = v->x->h;
    uint32_t x = ev->culprit;
    if (ev->whole || ev->kept.n > MOST_KEPT || history_pending(h, x) || !has_cell(v, x) || holds_null(v, x))
        return false;
    struct cell_access told = cell_call_of(v, x);
    if (told.sees.kind == ASSAY_NONE && told.refuses.kind == ASSAY_NONE)
        return false;
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        uint32_t z = ev->kept.at[i];
        if (z < h->n && object_counts(v, z) && contradicted_by(v, x, z, &told))
            return true;
    }
    return !object_is_any(v, &v->parts.at[v->part[x]]) && contradicted_by(v, x, ID_NONE, &told);
}
