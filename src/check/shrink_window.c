/* SPDX-License-Identifier: Apache-2.0 */
/* A window of time: operations go that were called after its end, or that returned before its begin.
 *
 * The end. A call that is open at the end of the window has not returned there. Take a linearization of the whole up to
 * the last operation that had returned by then: every operation that was called later stands behind that.
 *
 * The begin. The state there may be any (`@init ?`), so this is for objects that are judged from any state
 * (spec/any_initial.h). Every operation that returned before the begin stands before every operation that was called
 * after it. So a linearization of the whole can be cut between the former and the latter. The rest explains the latter,
 * from the state at the cut. An operation that is open at the begin stands on either side. It stays, as a pending one:
 * it may have taken effect within the window, or not. If it writes nothing it goes.
 *
 * An earlier end leaves less to explain, so the earliest one at which the violation stays is found by doubling and
 * halving. A later begin mostly does so, too. It may also know more: that an operation is over which an earlier begin
 * leaves open. So in the end all begins are tried. Most windows are short: doubling starts there. Of objects with any
 * initial content only short windows are tried. */
#include "check/shrink_object.h"
#include "history/excerpt.h"
#include "search/initial_states.h"

#include <string.h>

enum { SHORT_WINDOW = 64, VERY_SHORT_WINDOW = 32 }; /* operations */

struct window {
    struct shrinking *s;
    const struct calls *c;
    const struct part *part; /* the only one: by_call = part->ops */
    assay_value *args;
    bool *keep, *open;
    history *h; /* the excerpt at hand */
};

/* A cut of time by the place of an operation in the order of calls. A cut of the begin keeps the operations from that
 * place on, a cut of the end those before it. */
typedef void cut_time(struct window *w, uint32_t at);

static bool writes(const struct window *w, uint32_t op)
{
    assay_call call = calls_get(w->c, op, w->args);
    return !spec_changes_nothing(w->part->object->spec, &call);
}

static void cut_before(struct window *w, uint32_t begin)
{
    const struct calls *c = w->c;
    for (uint32_t op = 0; op < c->h->n; op++) {
        w->open[op] = c->call[op] < begin;
        w->keep[op] = c->part_of[op] != ID_NONE && c->ret[op] > begin && (!w->open[op] || writes(w, op));
    }
    struct value key = any_has_key(w->part->object->spec) ? w->part->key : (struct value){0};
    w->h = history_excerpt_from_any(c->h, w->keep, w->open, key);
}

static void cut_begin(struct window *w, uint32_t at)
{
    cut_before(w, w->c->call[w->part->ops[at]]);
}

/* A call that this one leaves open, and that returns before the next one begins, is cut by no other begin. */
static void cut_returned(struct window *w, uint32_t at)
{
    cut_before(w, w->c->ret[w->part->ops[at]]);
}

static void cut_end(struct window *w, uint32_t at)
{
    const struct calls *c = w->c;
    uint32_t end = c->call[w->part->ops[at]];
    for (uint32_t op = 0; op < c->h->n; op++) {
        w->open[op] = c->ret[op] > end;
        w->keep[op] = c->part_of[op] != ID_NONE && c->call[op] < end && (!w->open[op] || writes(w, op));
    }
    w->h = history_excerpt(c->h, w->keep, w->open, w->s->all_init);
}

/* Is the excerpt still a violation? It stays in w->h only then. */
static bool holds(struct window *w, cut_time *cut, uint32_t at)
{
    history_free(w->h);
    w->h = NULL;
    cut(w, at);
    if (shrink_violates(w->s, w->h))
        return true;
    history_free(w->h);
    w->h = NULL;
    return false;
}

/* The last place at which the violation stays, if it stays at no place behind one at which it does not. The places are
 * `from` and n - 1 further ones, `step` apart. ID_NONE: it stays at none that was tried. */
static uint32_t last_that_holds(struct window *w, cut_time *cut, uint32_t from, uint32_t n, int step)
{
    uint32_t fine = n, bad = n; /* in steps: it holds at `fine`, not at `bad`; n: not known yet */
    for (uint32_t back = 1; fine == n && bad; back *= 2) {
        uint32_t at = back < n ? n - back : 0;
        *(holds(w, cut, from + (uint32_t)step * at) ? &fine : &bad) = at;
    }
    if (fine == n)
        return ID_NONE;
    while (fine + 1 < bad) {
        uint32_t middle = fine + (bad - fine) / 2;
        *(holds(w, cut, from + (uint32_t)step * middle) ? &fine : &bad) = middle;
    }
    return from + (uint32_t)step * fine;
}

/* Makes the cut at that place, if it leaves fewer operations. */
static bool take(struct window *w, cut_time *cut, uint32_t at)
{
    if (at == ID_NONE || !holds(w, cut, at))
        return false;
    history *h = w->h;
    bool smaller = h->n < w->c->h->n;
    w->h = NULL;
    if (smaller)
        shrink_rebase(w->s, h, w->keep);
    else
        history_free(h);
    return smaller;
}

/* The first begin that is worth a try. From any content there is only a search, which may take long. */
static uint32_t first_begin(const struct window *w)
{
    bool searched = spec_any_kind(w->part->object->spec) == ANY_CONTENT;
    return searched && w->part->n > SHORT_WINDOW ? w->part->n - SHORT_WINDOW : 1;
}

/* Makes the latest begin that leaves fewer operations. */
static bool take_any(struct window *w)
{
    for (uint32_t at = w->part->n - 1; at >= first_begin(w); at--)
        if (take(w, cut_begin, at))
            return true;
    for (uint32_t at = w->part->n; at-- + 1 > first_begin(w);)
        if (take(w, cut_returned, at))
            return true;
    return false;
}

static bool window_of(struct shrinking *s, struct window *w)
{
    *w = (struct window){.s = s, .c = shrink_calls(s, s->base)};
    w->part = w->c->parts;
    w->args = s->cuts.object.args;
    w->keep = mem_new(&s->mem, bool, s->base->n + 1);
    w->open = mem_new(&s->mem, bool, s->base->n + 1);
    return (s->r->model->conditions & COND_LIN) && s->base->call && w->c->call && w->c->part_n == 1 && w->part->n > 1;
}

static bool any_initial(const struct shrinking *s, const struct part *part)
{
    enum any_kind kind = spec_any_kind(part->object->spec);
    return !s->from_start && kind != ANY_NEVER && (part->key.kind != ASSAY_NONE || !any_needs_key(kind));
}

bool shrink_has_window(struct shrinking *s)
{
    struct window w;
    return window_of(s, &w) && any_initial(s, w.part);
}

/* From any initial state episodes (check/episodes.h) do not count. So a long window is not worth it where they are. */
static bool is_worth_it(const struct window *w, uint32_t begin)
{
    switch (spec_any_kind(w->part->object->spec)) {
    case ANY_LEVEL: return w->part->n - begin <= SHORT_WINDOW;
    case ANY_CONTENT: return w->part->n - begin <= VERY_SHORT_WINDOW;
    default: return true;
    }
}

bool shrink_window(struct shrinking *s)
{
    struct window w;
    bool smaller = false;
    if (window_of(s, &w))
        smaller |= take(&w, cut_end, last_that_holds(&w, cut_end, w.part->n - 1, w.part->n - 1, -1));
    if (window_of(s, &w) && any_initial(s, w.part)) {
        uint32_t first = first_begin(&w), begin = last_that_holds(&w, cut_begin, first, w.part->n - first, 1);
        smaller |= begin != ID_NONE && is_worth_it(&w, begin) && take(&w, cut_begin, begin);
    }
    return smaller;
}

bool shrink_last_window(struct shrinking *s)
{
    struct window w;
    if (memchr(s->keep, false, s->base->n * sizeof *s->keep)) {
        history *h = s->slice(s, s->keep);
        shrink_rebase(s, h, s->keep);
        return true;
    }
    return shrink_parts(s) || shrink_window(s) || (window_of(s, &w) && any_initial(s, w.part) && take_any(&w));
}
