/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of an object. First go all operations of other objects and keys; where the parts cannot be judged apart, as
 * many of them as can go. In real time, everything after the return that cannot be explained goes. So does everything
 * before a time from which no initial value explains the rest (shrink_window.c). Then calls go. Those of a cell go as
 * check/cell_cuts.h says, those of a collection or a lock by episodes (check/episodes.h). Others go as far as the
 * specification allows (assay_spec.cut): alone, or with all calls that name the same value. For weak consistency
 * calls go that no result depends on (check/weak_cuts.h): an operation that sees a call executes it anew, with another
 * result perhaps. */
#include "check/shrink_object.h"

#include "check/cell_cuts.h"
#include "check/episodes.h"
#include "check/weak_cuts.h"
#include "history/excerpt.h"
#include "history/value_ids.h"
#include "search/initial_states.h"

#include <string.h>

/* ---- which cuts? ---- */

enum { CUT_CELL = ASSAY_CUT_WITH_VALUE + 1 }; /* one more assay_cut */
enum { FEW_NAMED = 4, SOME_NAMED = 16 };      /* calls that a refutation names */
enum { TICKS_OF_SEARCH = 1 << 16 };           /* from any initial content */

/* So many of the value are there at first. They cannot be cut: they are in the header. */
static uint32_t initially(const history *h, struct value v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < h->init.n; i++)
        n += value_same(h->init.at[i].value, v);
    return n;
}

/* Room for the arguments of any call of the history. */
static assay_value *room_for_arguments(const history *h, struct mem *m)
{
    uint32_t most = 0;
    for (uint32_t op = 0; op < h->n; op++)
        most = history_arity(h, op) > most ? history_arity(h, op) : most;
    return mem_new(m, assay_value, most + 1);
}

/* The values of each part, numbered. */
struct numbering {
    struct mem *m;
    struct value_ids *ids;     /* of each part */
    struct named_value *named; /* of each operation: a value that has episodes */
    bool null_values;          /* a key of a map may have the value null */
};

static uint32_t number_of(struct numbering *n, uint32_t part, assay_value value)
{
    return value.kind == ASSAY_NONE ? ID_NONE : value_id(n->m, &n->ids[part], value_internal(value));
}

/* Is null an argument of a call, or an initial value? */
static bool has_null_values(const struct shrinking *s, const struct calls *c)
{
    const history *h = c->h;
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].value.kind == ASSAY_NONE || cell_is_null(value_public(h, h->init.at[i].value)))
            return true;
    for (uint32_t op = 0; op < h->n; op++) {
        assay_call call = calls_get(c, op, s->cuts.object.args);
        for (uint32_t i = 0; i < call.arg_count; i++)
            if (cell_is_null(call.args[i]))
                return true;
    }
    return false;
}

static uint32_t number_in_cell(struct numbering *n, uint32_t part, assay_value value)
{
    static const struct value null = {.kind = ASSAY_NONE};
    return cell_is_null(value) ? value_id(n->m, &n->ids[part], null) : number_of(n, part, value);
}

static struct call_cut cut_of_cell(struct numbering *n, uint32_t part, const struct cell_use *use)
{
    if (use->of_many)
        return (struct call_cut){.cut = use->writes.kind == ASSAY_NONE ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER,
                                 .value = ID_NONE,
                                 .reads = ID_NONE,
                                 .writes = ID_NONE};
    return (struct call_cut){.cut = CUT_CELL,
                             .value = ID_NONE,
                             .reads = number_in_cell(n, part, use->reads),
                             .writes = number_in_cell(n, part, use->writes),
                             .failed = use->failed};
}

static struct call_cut ask_cut(const struct shrinking *s, const struct calls *c, uint32_t op, struct numbering *n)
{
    assay_value value = {0};
    assay_call call = calls_get(c, op, s->cuts.object.args);
    const assay_spec *spec = objects_use(c->objects, op)->spec;
    uint32_t part = c->part_of[op];
    struct call_cut cut = {.cut = ASSAY_CUT_NEVER, .value = ID_NONE, .reads = ID_NONE, .writes = ID_NONE};
    struct cell_use cell;
    struct content_use content;
    if (part == ID_NONE) {
        cut.cut = ASSAY_CUT_ALONE;
    } else if (s->r->model->conditions & COND_WEAK) {
        cut.cut = s->cuts.object.spoils || spec_is_observer(spec, &call) ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
    } else if (cell_use(&c->parts[part], &call, n->null_values, &cell)) {
        return cut_of_cell(n, part, &cell);
    } else if (content_use(&c->parts[part], &call, &content)) {
        cut.cut = content.change || content.unknown ? ASSAY_CUT_WITH_VALUE : ASSAY_CUT_ALONE;
        cut.value = number_of(n, part, content.value);
        n->named[op] = (struct named_value){cut.value, content.change, content.unknown};
    } else if (spec->cut) {
        cut.cut = (uint8_t)spec->cut(&call, &value);
        cut.value = number_of(n, part, value);
        if (cut.cut == ASSAY_CUT_WITH_VALUE && initially(c->h, value_internal(value)))
            cut.cut = ASSAY_CUT_NEVER;
    }
    return cut;
}

static void shift(uint32_t *number, uint32_t by)
{
    if (*number != ID_NONE)
        *number += by;
}

/* So many of each value are there at first: values of part p have the numbers from first[p] on. */
static uint32_t *count_initial(const struct numbering *n, const uint32_t *first, const history *h, uint32_t parts)
{
    uint32_t *held = mem_new_zero(n->m, uint32_t, (size_t)first[parts] + 1);
    for (uint32_t p = 0; p < parts; p++)
        for (uint32_t i = 0; i < h->init.n; i++) {
            uint32_t v = value_id_find(&n->ids[p], h->init.at[i].value);
            if (v != ID_NONE)
                held[first[p] + v]++;
        }
    return held;
}

/* Each episode of a value goes by itself. */
static void split_values(struct shrinking *s, const struct calls *c, struct numbering *n, const uint32_t *held)
{
    struct call_cut *cuts = s->cuts.object.of;
    uint32_t values = s->cuts.object.values;
    s->cuts.object.values = episodes_find(c, n->named, values, held, n->m);
    for (uint32_t op = 0; op < c->h->n; op++) {
        if (n->named[op].value == ID_NONE)
            continue;
        cuts[op].value = n->named[op].value;
        bool at_first = cuts[op].value < values && held[cuts[op].value];
        if (at_first && cuts[op].cut == ASSAY_CUT_WITH_VALUE)
            cuts[op].cut = ASSAY_CUT_NEVER;
    }
}

static void ask_cuts(struct shrinking *s, const struct calls *c)
{
    const history *h = s->base;
    struct numbering n = {&s->mem, mem_new_zero(&s->mem, struct value_ids, c->part_n + 1),
                          mem_new(&s->mem, struct named_value, (size_t)h->n + 1), has_null_values(s, c)};
    struct call_cut *cuts = s->cuts.object.of = mem_new(&s->mem, struct call_cut, h->n + 1);
    bool weak = s->r->model->conditions & COND_WEAK;
    s->cuts.object.spoils = weak && h->n <= WEAK_CUTS_MOST ? weak_cuts(c, &s->mem) : NULL;
    for (uint32_t op = 0; op < h->n; op++) {
        n.named[op] = (struct named_value){.value = ID_NONE};
        cuts[op] = ask_cut(s, c, op, &n);
    }
    uint32_t *first = mem_new_zero(&s->mem, uint32_t, c->part_n + 1);
    for (uint32_t p = 0; p < c->part_n; p++)
        first[p + 1] = first[p] + n.ids[p].n;
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t by = c->part_of[op] == ID_NONE ? 0 : first[c->part_of[op]];
        shift(&cuts[op].value, by);
        shift(&cuts[op].reads, by);
        shift(&cuts[op].writes, by);
        shift(&n.named[op].value, by);
        cuts[op].part = c->part_of[op];
    }
    s->cuts.object.values = first[c->part_n];
    s->cuts.object.parts = c->part_n;
    split_values(s, c, &n, count_initial(&n, first, h, c->part_n));
}

/* ---- allowed cuts ---- */

struct gone { /* marks of values, and of parts: a cell that has lost a value */
    bool *value, *part;
};

/* Puts back the calls that must stay, and notes the values that go with calls. */
static void note_gone(const struct shrinking *s, bool *keep, struct gone *gone)
{
    const struct call_cut *cuts = s->cuts.object.of;
    for (uint32_t op = 0; op < s->base->n; op++) {
        keep[op] |= s->keep[op] && cuts[op].cut == ASSAY_CUT_NEVER;
        if (keep[op] || !s->keep[op])
            continue;
        if (cuts[op].cut == ASSAY_CUT_WITH_VALUE)
            gone->value[cuts[op].value] = true;
        if (cuts[op].cut == CUT_CELL && cuts[op].writes != ID_NONE)
            gone->value[cuts[op].writes] = true;
    }
}

/* A call that read a value that goes no longer writes its own. */
static void close_cells(const struct shrinking *s, struct gone *gone)
{
    const struct call_cut *cuts = s->cuts.object.of;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t op = 0; op < s->base->n; op++) {
            if (!s->keep[op] || cuts[op].cut != CUT_CELL || cuts[op].writes == ID_NONE)
                continue;
            gone->part[cuts[op].part] |= gone->value[cuts[op].writes];
            if (cuts[op].reads == ID_NONE || !gone->value[cuts[op].reads] || gone->value[cuts[op].writes])
                continue;
            gone->value[cuts[op].writes] = again = true;
        }
    }
}

static bool goes(const struct call_cut *c, const struct gone *gone)
{
    if (c->cut == CUT_CELL && c->failed && gone->part[c->part])
        return true;
    return (c->value != ID_NONE && gone->value[c->value]) || (c->reads != ID_NONE && gone->value[c->reads]);
}

/* Puts back the calls that a result may depend on, which has a result itself, and so on. */
static void put_back(const struct shrinking *s, bool *keep)
{
    uint32_t n = s->base->n;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n && s->keep[y] && !keep[y]; x++)
                if (keep[x] && s->cuts.object.spoils[(size_t)y * n + x])
                    keep[y] = again = true;
    }
}

static bool close(const struct shrinking *s, bool *keep)
{
    if (s->cuts.object.spoils) {
        put_back(s, keep);
        return true;
    }
    struct mem *m = (struct mem *)&s->mem;
    struct gone gone = {mem_new_zero(m, bool, s->cuts.object.values + 1),
                        mem_new_zero(m, bool, s->cuts.object.parts + 1)};
    bool fine = true;
    note_gone(s, keep, &gone);
    close_cells(s, &gone);
    for (uint32_t op = 0; op < s->base->n; op++)
        if (keep[op] && goes(&s->cuts.object.of[op], &gone)) {
            fine &= s->cuts.object.of[op].cut != ASSAY_CUT_NEVER;
            keep[op] = false;
        }
    mem_free(m, gone.value);
    mem_free(m, gone.part);
    return fine;
}

/* ---- the base ---- */

struct calls *shrink_calls(struct shrinking *s, const history *h)
{
    struct object_choice choice = {s->options.object, s->options.spec};
    struct objects *objects = mem_new(&s->mem, struct objects, 1);
    struct budget none = {0};
    assay_error ignored = {0};
    objects_of(h, choice, &s->mem, objects, &ignored);
    return calls_view(h, objects, checker_wish(s->r->model, s->r->skew), &s->mem, &none, &ignored);
}

static bool keys_apart(const struct calls *c)
{
    for (uint32_t p = 0; p < c->part_n; p++)
        if (c->parts[p].key.kind == ASSAY_NONE)
            return false;
    return true;
}

void shrink_rebase(struct shrinking *s, history *base, const bool *keep)
{
    uint32_t before = s->base->n;
    history_free(s->owned);
    s->owned = base;
    uint32_t *origin = mem_new(&s->mem, uint32_t, base->n + 1);
    for (uint32_t op = 0, i = 0; op < before; op++)
        if (keep[op])
            origin[i++] = s->origin ? s->origin[op] : op;
    s->origin = origin;
    shrink_by_operations(s, base);
    s->keep = mem_new(&s->mem, bool, base->n + 1);
    memset(s->keep, true, base->n);
    const struct calls *c = shrink_calls(s, base);
    s->all_init = !keys_apart(c);
    ask_cuts(s, c);
}

/* The subject of the refutation becomes the base. This is the prefix if it violates the model by itself. Else it is all
 * of the part, or of the history: the refutation may rest on later results of the prefix's open calls. */
static history *take_part(struct shrinking *s, const struct calls *c, bool prefix, bool *keep)
{
    const history *h = s->r->h;
    const struct evidence *ev = &s->r->evidence;
    bool *open = mem_new_zero(&s->mem, bool, h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        bool other = ev->whole ? c->part_of[op] == ID_NONE : c->part_of[op] != c->part_of[ev->culprit];
        keep[op] = !other && (!prefix || c->call[op] < c->ret[ev->culprit]);
        open[op] = prefix && c->ret[op] > c->ret[ev->culprit];
    }
    return history_excerpt(h, keep, open, s->all_init);
}

static void begin(struct shrinking *s, const struct calls *c)
{
    bool *keep = mem_new(&s->mem, bool, s->r->h->n + 1);
    const struct evidence *ev = &s->r->evidence;
    bool prefix = ev->prefix || (s->same_pattern && c->ret && !ev->whole && c->ret[ev->culprit] != CALLS_NEVER);
    history *part = prefix ? take_part(s, c, true, keep) : NULL;
    if (part && !shrink_violates(s, part)) {
        history_free(part);
        part = NULL;
    }
    if (!part)
        part = take_part(s, c, false, keep);
    if (s->same_pattern && !shrink_violates(s, part)) { /* alone it would be told in another way */
        history_free(part);
        memset(keep, true, s->r->h->n * sizeof *keep);
        part = history_excerpt(s->r->h, keep, NULL, s->all_init);
    }
    s->base = s->r->h;
    shrink_rebase(s, part, keep);
}

/* ---- the calls that the refutation names ---- */

static void need(const struct call_cut *c, struct gone *needed)
{
    if (c->value != ID_NONE)
        needed->value[c->value] = true;
    if (c->reads != ID_NONE)
        needed->value[c->reads] = true;
    if (c->failed)
        needed->part[c->part] = true;
}

static bool is_needed(const struct call_cut *c, const struct gone *needed)
{
    switch (c->cut) {
    case ASSAY_CUT_NEVER: return true;
    case ASSAY_CUT_WITH_VALUE: return needed->value[c->value];
    case CUT_CELL: return c->writes != ID_NONE && (needed->value[c->writes] || needed->part[c->part]);
    default: return false;
    }
}

/* Keeps more calls, until the rest is an allowed cut: the writers of the values that are read, and so on. A
 * refutation may rest on calls that it does not name. */
static void complete(struct shrinking *s, bool *keep)
{
    struct gone needed = {mem_new_zero(&s->mem, bool, s->cuts.object.values + 1),
                          mem_new_zero(&s->mem, bool, s->cuts.object.parts + 1)};
    for (bool again = true; again;) {
        again = false;
        for (uint32_t op = 0; op < s->base->n; op++)
            if (keep[op])
                need(&s->cuts.object.of[op], &needed);
        for (uint32_t op = 0; op < s->base->n; op++)
            if (!keep[op] && is_needed(&s->cuts.object.of[op], &needed))
                keep[op] = again = true;
    }
}

/* The calls that the refutation names, with those that they need; how many, or 0: it names none. */
static uint32_t named_calls(struct shrinking *s, bool *keep)
{
    const struct evidence *ev = &s->r->evidence;
    bool *named = mem_new_zero(&s->mem, bool, s->r->h->n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        named[ev->kept.at[i]] = true;
    for (uint32_t op = 0; op < s->base->n; op++)
        keep[op] = named[s->origin[op]];
    complete(s, keep);
    for (uint32_t op = 0; op < s->base->n; op++)
        n += keep[op];
    return ev->kept.n ? n : 0;
}

bool shrink_parts(struct shrinking *s)
{
    bool *trial = mem_new(&s->mem, bool, s->base->n + 1), smaller = false;
    for (uint32_t p = 0; p < s->cuts.object.parts && s->cuts.object.parts > 1; p++) {
        for (uint32_t op = 0; op < s->base->n; op++)
            trial[op] = s->keep[op] && s->cuts.object.of[op].part != p;
        if (!shrink_still_violates(s, trial))
            continue;
        memcpy(s->keep, trial, s->base->n * sizeof *trial);
        smaller = true;
    }
    mem_free(&s->mem, trial);
    return smaller;
}

bool shrink_to(struct shrinking *s, const bool *keep)
{
    history *h = history_excerpt(s->base, keep, NULL, s->all_init);
    if (!shrink_violates(s, h)) {
        history_free(h);
        return false;
    }
    shrink_rebase(s, h, keep);
    return true;
}

/* The calls that the refutation names become the base, if they are enough. Where they are many, a window of time is
 * tried before them: calls that are not named may show the state in between. */
static void shrink_coarsely(struct shrinking *s)
{
    bool whole = s->r->evidence.whole, *named = mem_new(&s->mem, bool, s->base->n + 1);
    uint32_t n = named_calls(s, named);
    if (n > (s->ticks_from_any ? SOME_NAMED : FEW_NAMED) && !whole && shrink_has_window(s) && shrink_window(s))
        n = named_calls(s, named);
    if (n && close(s, named))
        shrink_to(s, named);
    if (whole)
        shrink_parts(s);
    else
        shrink_window(s);
}

void shrink_object(struct shrinking *s)
{
    s->options.engine = NULL; /* one for large histories may decline small ones */
    s->options.skew = s->r->skew;
    s->options.visibility = s->r->visibility[0] ? s->r->visibility : NULL;
    const struct calls *all = shrink_calls(s, s->r->h);
    if (!s->options.object && !s->options.spec && !s->r->h->objects.n)
        s->options.object = s->r->object; /* fewer operations may fit more objects */
    s->cuts.object.args = room_for_arguments(s->r->h, &s->mem);
    s->all_init = !keys_apart(all);
    s->close = close;
    for (uint32_t p = 0; p < all->part_n; p++)
        if (spec_any_kind(all->parts[p].object->spec) == ANY_CONTENT)
            s->ticks_from_any = TICKS_OF_SEARCH;
    begin(s, all);
    shrink_coarsely(s);
    s->again = shrink_last_window;
}
