/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/views.h"

#include "oracle/transactions/base.h"

struct run {
    const struct history *h;
    enum level level;
    set counted;
    set base[MOST_TXNS];
    int order[MOST_TXNS], n; /* of commits, so far */
    set before[MOST_TXNS];   /* in that order */
    set sees[MOST_TXNS];
};

/* Is there a write of the key by t before its access `end`? *value is then the last one's. */
static bool wrote(const struct history *h, int t, int key, int end, int *value)
{
    bool any = false;
    for (int i = 0; i < end; i++) {
        const struct access *a = access_of(h, t, i);
        if (a->kind == WRITE && a->key == key) {
            *value = a->value;
            any = true;
        }
    }
    return any;
}

static int value_in(const struct run *r, set view, int key)
{
    int value = r->h->keys[key].init;
    for (int i = 0; i < r->n; i++)
        if (in(view, r->order[i]))
            wrote(r->h, r->order[i], key, r->h->txns[r->order[i]].count, &value);
    return value;
}

static bool returns(const struct run *r, int t, int i, set view)
{
    const struct access *a = access_of(r->h, t, i);
    int own;
    if (a->kind != READ || a->unknown)
        return true;
    return (wrote(r->h, t, a->key, i, &own) ? own : value_in(r, view, a->key)) == a->value;
}

static bool reads_from(const struct run *r, int t, set view)
{
    for (int i = 0; i < r->h->txns[t].count; i++)
        if (!returns(r, t, i, view))
            return false;
    return true;
}

/* The accesses of t from i on, with a view that holds all that was seen before and may grow up to `placed` */
static bool reads_forward(const struct run *r, int t, int i, set view, set placed)
{
    if (i == r->h->txns[t].count)
        return true;
    set rest = placed & ~view;
    for (set more = rest;; more = (more - 1) & rest) {
        if (returns(r, t, i, view | more) && reads_forward(r, t, i + 1, view | more, placed))
            return true;
        if (!more)
            return false;
    }
}

static bool conflict(const struct history *h, int t, int u)
{
    for (int k = 0; k < h->key_count; k++)
        if (writes_key(h, t, k) && writes_key(h, u, k))
            return true;
    return false;
}

static bool allowed(const struct run *r, int t, set view, set placed)
{
    enum level l = r->level;
    if (r->base[t] & r->counted & ~view)
        return false;
    if (l == SER)
        return view == placed;
    for (int i = 0; i < r->n; i++) {
        int u = r->order[i];
        if (in(view, u) && (l == TCC || l == PSI) && (r->sees[u] & ~view))
            return false;
        if (in(view, u) && (l == PC || l == SI) && (r->before[u] & ~view))
            return false;
        if (!in(view, u) && (l == PSI || l == SI) && conflict(r->h, t, u))
            return false;
    }
    return true;
}

static bool commit(struct run *r, set placed);

static bool go_on(struct run *r, int t, set view, set placed)
{
    r->sees[t] = view;
    r->order[r->n++] = t;
    bool fits = commit(r, placed | 1u << t);
    r->n--;
    return fits;
}

static bool commit_one(struct run *r, int t, set placed)
{
    if (r->level == RC)
        return reads_forward(r, t, 0, 0, placed) && go_on(r, t, 0, placed);
    for (set view = placed;; view = (view - 1) & placed) {
        if (allowed(r, t, view, placed) && reads_from(r, t, view) && go_on(r, t, view, placed))
            return true;
        if (!view)
            return false;
    }
}

static bool commit(struct run *r, set placed)
{
    if (placed == r->counted)
        return true;
    for (int t = 0; t < r->h->n; t++) {
        if (!in(r->counted & ~placed, t) || (r->base[t] & r->counted & ~placed))
            continue;
        r->before[t] = placed;
        if (commit_one(r, t, placed))
            return true;
    }
    return false;
}

void judge_views(const struct history *h, bool ok[MODELS])
{
    set committed = with_outcome(h, COMMITTED), maybe = with_outcome(h, MAYBE);
    for (int m = 0; m < MODELS; m++) {
        ok[m] = false;
        for (set taken = maybe; !ok[m]; taken = (taken - 1) & maybe) {
            struct run r = {.h = h, .level = level_of(m), .counted = committed | taken};
            base_order(h, base_of(m), r.base);
            ok[m] = commit(&r, 0);
            if (!taken)
                break;
        }
    }
}
