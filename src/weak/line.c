/* SPDX-License-Identifier: Apache-2.0 */
#include "weak/line.h"

#include "history/value_ids.h"
#include "search/calls.h"
#include "weak/search.h"

#include <string.h>

enum {
    MOST_BACK = 12,
    MOST_OPEN = 8
}; /* places that are tried further back; open operations of which pairs are tried */

struct line {
    struct weak w;
    struct line_setup s;
    struct job job;
    struct object_use object;
    struct part part;
    struct set returned;
    struct value_ids keys;
    bool keyless;           /* a call that changes something names no key, so keys do not count */
    uint32_t *kept, kept_n; /* a part of the line from place `kept_at` on, to be restored, */
    struct set *kept_sees;  /* with visibility */
    uint32_t kept_at;
};

/* ---- life ---- */

static void *line_open(const struct line_setup *s)
{
    struct mem *m = s->mem;
    struct line *l = mem_new_zero(m, struct line, 1);
    struct weak *w = &l->w;
    uint32_t n = SET_MOST;
    l->s = *s;
    l->object.spec = s->spec;
    l->part.object = &l->object;
    l->job = (struct job){.part = &l->part, .mem = m, .budget = s->budget};
    w->job = &l->job;
    w->d = *s->demands;
    w->asked = w->d.asked;
    w->asked.complete = false; /* the state stays the first one: a line changes in its middle, too */
    w->x = (struct linear){.spec = s->spec, .m = m, .n = n, .call = s->call};
    w->x.state = hook_copy(s->spec, s->start, m);
    w->x.done = mem_new_zero(m, bool, n);
    w->x.salt = mem_new_zero(m, struct memo_key, n);
    w->x.lane_of = mem_new_ids(m, n);
    w->states = visited_in(m, s->spec);
    w->demands = mem_new_zero(m, uint32_t, n);
    w->class = mem_new_zero(m, uint32_t, n);
    w->observer = mem_new_zero(m, bool, n);
    w->before[0] = mem_new_zero(m, struct set, n);
    w->before[1] = mem_new_zero(m, struct set, n);
    w->order = mem_new(m, uint32_t, n);
    w->sees = mem_new_zero(m, struct set, n);
    w->reach = mem_new_zero(m, struct set, mem_product(n, (size_t)(w->d.paths + 1) * w->d.longest));
    w->closure = mem_new_zero(m, struct set, mem_product(n, w->d.classes + 1));
    w->key = mem_new_zero(m, uint64_t, n);
    w->replay = mem_new(m, struct replay, 1);
    weak_take_object(w);
    l->kept = mem_new(m, uint32_t, n);
    l->kept_sees = mem_new(m, struct set, n);
    return l;
}

static void line_close(void *line)
{
    struct line *l = line;
    struct weak *w = &l->w;
    struct mem *m = l->s.mem;
    hook_destroy(l->s.spec, w->x.state, m);
    void *const blocks[] = {w->x.done,   w->x.salt,    w->x.lane_of, w->demands,   w->class,
                            w->observer, w->before[0], w->before[1], w->order,     w->sees,
                            w->reach,    w->closure,   w->key,       w->replay,    w->blank,
                            l->kept,     l->kept_sees, w->ways.at,   w->met.slots, w->partials.at};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(m, blocks[i]);
    value_ids_free(m, &l->keys);
    mem_free(m, l);
}

/* ---- events ---- */

/* Keys count as long as every call that changes something names one (weak_view.c). */
static void take_key(struct line *l, uint32_t i)
{
    struct weak *w = &l->w;
    int place = l->s.spec->methods[l->s.method[i]].key;
    if (place < 0 && !w->observer[i] && !l->keyless) {
        l->keyless = true;
        memset(w->key, 0, SET_MOST * sizeof *w->key);
    }
    if (place >= 0 && !l->keyless)
        w->key[i] = 1 + value_id(l->s.mem, &l->keys, value_internal(w->x.call[i].args[place]));
}

static void line_call(void *line, uint32_t i, uint32_t prev)
{
    struct line *l = line;
    struct weak *w = &l->w;
    const assay_method *method = &l->s.spec->methods[l->s.method[i]];
    w->demands[i] = w->d.of[l->s.method[i]];
    w->class[i] = w->d.class[l->s.method[i]];
    w->observer[i] = weak_observes(l->s.spec, method, &w->x.call[i]);
    w->before[0][i] = prev == ID_NONE ? (struct set){0} : w->before[0][prev];
    if (prev != ID_NONE)
        set_add(&w->before[0][i], prev);
    w->before[1][i] = l->returned;
    w->blank[i] = w->x.call[i];
    w->blank[i].args = &w->other;
    take_key(l, i);
}

static void line_return(void *line, uint32_t i)
{
    struct line *l = line;
    set_add(&l->returned, i);
}

/* ---- attempts ---- */

/* Appends i with some visibility that explains it, if there is one. */
static bool append_found(struct line *l, uint32_t i)
{
    struct weak *w = &l->w;
    w->ways.n = 0;
    w->brief = true;
    weak_minimal_ways(w, i);
    if (!w->ways.n)
        return false;
    struct set sees = w->ways.at[0].sees;
    weak_append(w, i, &sees);
    return true;
}

static void keep_from(struct line *l, uint32_t at)
{
    l->kept_at = at;
    l->kept_n = l->w.length - at;
    for (uint32_t k = 0; k < l->kept_n; k++) {
        l->kept[k] = l->w.order[at + k];
        l->kept_sees[k] = l->w.sees[l->kept[k]];
    }
}

/* The line becomes as it was, from place `at` on, where it has not changed before. */
static void restore(struct line *l, uint32_t at)
{
    weak_cut_back(&l->w, at);
    for (uint32_t k = at - l->kept_at; k < l->kept_n; k++)
        weak_append(&l->w, l->kept[k], &l->kept_sees[k]);
}

/* Appends the kept operations from place `at` on, but for one, with new visibility. */
static bool append_kept(struct line *l, uint32_t at, uint32_t without)
{
    for (uint32_t k = at - l->kept_at; k < l->kept_n; k++)
        if (l->kept[k] != without && !append_found(l, l->kept[k]))
            return false;
    return true;
}

/* Further back, before operations that overlap it. The line stays as it was if that fails. */
static bool insert(struct line *l, uint32_t i)
{
    struct weak *w = &l->w;
    uint32_t length = w->length;
    uint32_t first = length > MOST_BACK ? length - MOST_BACK : 0;
    keep_from(l, first);
    for (uint32_t at = length; at-- > first;) {
        if (set_has(&w->before[1][i], l->kept[at - first]))
            return false;
        weak_cut_back(w, at);
        if (append_found(l, i) && append_kept(l, at, ID_NONE))
            return true;
        restore(l, at);
    }
    return false;
}

/* Behind open operations, of which it may see the effect. */
static bool append_behind(struct line *l, uint32_t i, const uint32_t *open, uint32_t open_n)
{
    struct weak *w = &l->w;
    uint32_t length = w->length;
    for (uint32_t a = 0; a < open_n; a++) {
        if (set_has(&w->done, open[a]) || w->observer[open[a]] || !append_found(l, open[a]))
            continue;
        if (append_found(l, i))
            return true;
        for (uint32_t b = 0; b < open_n && open_n <= MOST_OPEN; b++) {
            if (set_has(&w->done, open[b]) || w->observer[open[b]] || !append_found(l, open[b]))
                continue;
            if (append_found(l, i))
                return true;
            weak_cut_back(w, length + 1);
        }
        weak_cut_back(w, length);
    }
    return false;
}

static bool place(struct line *l, uint32_t i, const uint32_t *open, uint32_t open_n)
{
    return append_found(l, i) || append_behind(l, i, open, open_n) || insert(l, i);
}

/* The operation stands in the line, and its result is known now. That may change its effect on those that see it. */
static bool keep_place(struct line *l, uint32_t i, const uint32_t *open, uint32_t open_n)
{
    struct weak *w = &l->w;
    uint32_t at = 0;
    bool same_effect = !l->s.spec->invoke || w->x.call[i].result.kind == ASSAY_NONE;
    if (same_effect && weak_explains(w, i, &w->sees[i]))
        return true;
    while (w->order[at] != i)
        at++;
    keep_from(l, at);
    weak_cut_back(w, at);
    if (append_found(l, i) && append_kept(l, at + 1, ID_NONE))
        return true;
    weak_cut_back(w, at);
    return append_kept(l, at, i) && place(l, i, open, open_n);
}

static bool line_extend(void *line, uint32_t i, const uint32_t *open, uint32_t open_n)
{
    struct line *l = line;
    return set_has(&l->w.done, i) ? keep_place(l, i, open, open_n) : place(l, i, open, open_n);
}

/* ---- solutions ---- */

/* Appends i with a set that explains it and lies within the given one, which does. Where axioms use the visibility of
 * others, smaller sets leave them more choices, and no set of the solution becomes wrong (CAV'18, lemma 1). */
static void append_within(struct line *l, uint32_t i, struct set given)
{
    struct weak *w = &l->w;
    w->ways.n = 0;
    w->brief = true;
    if (!w->asked.plain)
        weak_minimal_ways(w, i);
    for (uint32_t k = 0; k < w->ways.n; k++)
        if (set_within(&w->ways.at[k].sees, &given))
            given = w->ways.at[k].sees;
    weak_append(w, i, &given);
}

static void line_load(void *line, const struct weak_solution *s)
{
    struct line *l = line;
    uint32_t words = s->words < WORDS ? s->words : WORDS;
    weak_cut_back(&l->w, 0);
    for (uint32_t at = 0; at < s->length; at++) {
        struct set sees = {0};
        memcpy(sees.w, s->sees + (size_t)s->order[at] * s->words, words * sizeof *sees.w);
        append_within(l, s->order[at], sees);
    }
}

static struct weak_solution line_show(const void *line)
{
    const struct weak *w = &((const struct line *)line)->w;
    return (struct weak_solution){w->order, w->length, w->sees->w, WORDS};
}

const struct line_width WEAK_AT_WIDTH(line_width) = {
    .most = SET_MOST,
    .search = weak_search,
    .blame = weak_blame,
    .open = line_open,
    .close = line_close,
    .call = line_call,
    .ret = line_return,
    .extend = line_extend,
    .load = line_load,
    .show = line_show,
};
