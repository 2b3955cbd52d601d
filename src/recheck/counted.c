/* SPDX-License-Identifier: Apache-2.0 */
/* An object that counts something: can the calls add up to what the culprit tells?
 *
 * An operation takes effect at a moment between its call and its return, both widened by the skew of the clocks. At a
 * moment, the calls that returned earlier have taken effect, and those that were called may have. So the amount lies
 * between two bounds. At the return of the culprit some amount between them must be one that the object can have. And
 * at some moment of the culprit the bounds of the other calls must fit the amount that it tells.
 *
 * Of a map, the amount is the number of keys that have a value, or a certain one. Take a call that gives it to a key
 * and has returned by the moment. Let each call that takes it away have returned before that one was called, or be
 * called later. Then the key has it for certain. Likewise a key may be without it for certain.
 *
 * The bounds are computed anew for each moment of the culprit at which they can change. */
#include "recheck/counted.h"

struct moment {
    int64_t time;
    bool behind; /* just behind it: then calls that return at this time have returned */
};

struct bounds {
    int64_t least, most;
};

static bool has_been_called(const struct amount_told *t, struct moment m)
{
    return t->called <= m.time;
}

static bool has_returned(const struct amount_told *t, struct moment m)
{
    return !t->pending && (t->returned < m.time || (m.behind && t->returned == m.time));
}

/* ---- bounds of a sum ---- */

static struct bounds sums_at(const struct amount_read *r, struct moment m, uint32_t without)
{
    struct bounds b = {r->initial, r->initial};
    for (uint32_t i = 0; i < r->n; i++) {
        const struct amount_told *t = &r->at[i];
        if (i == without || !has_been_called(t, m))
            continue;
        bool sure = has_returned(t, m);
        b.least += sure || t->least < 0 ? t->least : 0;
        b.most += sure || t->most > 0 ? t->most : 0;
    }
    return b;
}

/* ---- bounds of the number of keys ---- */

struct side { /* of the calls that give a key the counted value, or of those that take it away */
    bool returned, called, open;
    int64_t latest_call;   /* of those that have returned */
    int64_t latest_return; /* of those that were called; open: there is none */
};

static void include(struct side *s, const struct amount_told *t, struct moment m)
{
    if (has_returned(t, m) && (!s->returned || t->called > s->latest_call)) {
        s->returned = true;
        s->latest_call = t->called;
    }
    s->open |= t->pending;
    if (!s->called || t->returned > s->latest_return)
        s->latest_return = t->returned;
    s->called = true;
}

/* Has a call of the one side the last word for certain? at_first: it had it before the first call. */
static bool is_sure(const struct side *one, const struct side *other, bool at_first)
{
    if (!other->called)
        return at_first || one->returned;
    return one->returned && !other->open && other->latest_return < one->latest_call;
}

static struct bounds keys_at(const struct object_view *v, const struct amount_read *r, struct moment m)
{
    struct mem *mem = v->x->mem;
    struct side *gives = mem_new_zero(mem, struct side, r->keys + 1),
                *takes = mem_new_zero(mem, struct side, r->keys + 1);
    struct bounds b = {0, 0};
    for (uint32_t i = 0; i < r->n; i++) {
        const struct amount_told *t = &r->at[i];
        if (t->key != ID_NONE && has_been_called(t, m))
            include(t->gives ? &gives[t->key] : &takes[t->key], t, m);
    }
    for (uint32_t k = 0; k < r->keys; k++) {
        b.least += is_sure(&gives[k], &takes[k], r->has[k]);
        b.most += !is_sure(&takes[k], &gives[k], !r->has[k]);
    }
    mem_free(mem, gives);
    mem_free(mem, takes);
    return b;
}

/* ---- the culprit ---- */

static bool fits_at(const struct object_view *v, const struct amount_read *r, struct moment m)
{
    const struct amount_told *x = &r->at[r->culprit];
    budget_tick(v->x->budget);
    struct bounds b = r->keys ? keys_at(v, r, m) : sums_at(r, m, r->culprit);
    return b.least <= x->high && b.most >= x->low;
}

/* Does what the culprit tells fit some moment? */
static bool fits(const struct object_view *v, const struct amount_read *r)
{
    const struct amount_told *x = &r->at[r->culprit];
    if (fits_at(v, r, (struct moment){x->called, false}))
        return true;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct amount_told *t = &r->at[i];
        if (t->called > x->called && t->called <= x->returned && fits_at(v, r, (struct moment){t->called, false}))
            return true;
        if (!t->pending && t->returned >= x->called && t->returned < x->returned &&
            fits_at(v, r, (struct moment){t->returned, true}))
            return true;
    }
    return false;
}

static bool is_possible(const struct amount_read *r)
{
    struct bounds b = sums_at(r, (struct moment){r->at[r->culprit].returned, true}, ID_NONE);
    return b.most >= r->bottom && b.least <= r->top;
}

bool object_amount_contradicts(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    struct amount_read r;
    if (ev->whole || !v->real_time || !v->x->h->call || history_pending(v->x->h, ev->culprit))
        return false;
    uint32_t n = amounts_of(v);
    if (!n)
        return false;
    amounts_read(v, &r);
    for (uint32_t which = 0; which < n; which++)
        if (amounts_tell(v, which, &r) && ((r.at[r.culprit].tells && !fits(v, &r)) || (!r.keys && !is_possible(&r))))
            return true;
    return false;
}
