/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of an object. First go all operations of other objects and keys; where the parts cannot be judged apart, as many
 * of them as can go. In real time, everything after the return that cannot be explained goes. Then calls go, as far as
 * the specification allows (assay_spec.cut): alone, or with all calls that name the same value. For weak consistency
 * only calls go that change nothing for any result: an operation that sees a call executes it anew, with another result
 * perhaps. */
#include "check/shrink.h"

#include "history/slice.h"
#include "history/value_ids.h"
#include "object/calls.h"

#include <string.h>

/* The subject of the refutation becomes the base. This is the prefix if it violates the model by itself. Else it is all
 * of the part, or of the history: the refutation may rest on later results of the prefix's open calls. */
static void take_part(struct shrinking *s, const struct calls *c, bool prefix)
{
    const history *h = s->r->h;
    const struct evidence *ev = &s->r->evidence;
    bool *keep = mem_new_zero(&s->mem, bool, h->n + 1), *open = mem_new_zero(&s->mem, bool, h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        if (ev->whole ? c->part_of[op] == ID_NONE : c->part_of[op] != c->part_of[ev->culprit])
            continue;
        keep[op] = !prefix || c->call[op] < c->ret[ev->culprit];
        open[op] = prefix && c->ret[op] > c->ret[ev->culprit];
    }
    s->owned = history_slice_open(h, keep, open);
    shrink_by_operations(s, s->owned);
    s->origin = mem_new(&s->mem, uint32_t, s->base->n + 1);
    for (uint32_t op = 0, i = 0; op < h->n; op++)
        if (keep[op])
            s->origin[i++] = op;
}

/* May the calls that are open at the culprit's return stay open? With equal times or skewed clocks a thread may have
 * two open calls, which no history can express. */
static bool prefix_is_history(const struct calls *c, const struct evidence *ev)
{
    const history *h = c->h;
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t prev = c->prev[op];
        if (prev != ID_NONE && c->call[op] < c->ret[ev->culprit] && c->ret[prev] > c->ret[ev->culprit])
            return false;
    }
    return true;
}

/* An initial value cannot be cut: it is in the header. */
static bool initial(const history *h, struct value v)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (value_same(h->init.at[i].value, v))
            return true;
    return false;
}

/* Does the operation, with the result that it returned in the whole history, go only together with an initial value? */
static bool of_initial(const struct shrinking *s, const struct calls *c, uint32_t op)
{
    assay_value value = {0};
    assay_call call = calls_get(c, op, s->cuts.object.args);
    const assay_spec *spec = objects_use(c->objects, op)->spec;
    bool with_value = spec->cut && spec->cut(&call, &value) == ASSAY_CUT_WITH_VALUE;
    return with_value && initial(c->h, value_internal(value));
}

/* Room for the arguments of any call of the history. */
static assay_value *room_for_arguments(const history *h, struct mem *m)
{
    uint32_t most = 0;
    for (uint32_t op = 0; op < h->n; op++)
        most = history_arity(h, op) > most ? history_arity(h, op) : most;
    return mem_new(m, assay_value, most + 1);
}

static void ask_cuts(struct shrinking *s, const struct calls *c)
{
    const history *h = s->base;
    struct value_ids *ids = mem_new_zero(&s->mem, struct value_ids, c->part_n + 1); /* of each part */
    uint32_t *number = mem_new(&s->mem, uint32_t, h->n + 1);
    s->cuts.object.cut = mem_new(&s->mem, uint8_t, h->n + 1);
    s->cuts.object.value = mem_new(&s->mem, uint32_t, h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        assay_value value = {0};
        assay_call call = calls_get(c, op, s->cuts.object.args);
        const assay_spec *spec = objects_use(c->objects, op)->spec;
        assay_cut cut = ASSAY_CUT_NEVER;
        if (s->r->model->conditions & COND_WEAK)
            cut = spec_is_observer(spec, &call) ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
        else if (spec->cut)
            cut = spec->cut(&call, &value);
        bool named = value.kind != ASSAY_NONE;
        if (cut == ASSAY_CUT_WITH_VALUE && initial(h, value_internal(value)))
            cut = ASSAY_CUT_NEVER;
        s->cuts.object.cut[op] = (uint8_t)cut;
        number[op] = named ? value_id(&s->mem, &ids[c->part_of[op]], value_internal(value)) : ID_NONE;
    }
    uint32_t *first = mem_new_zero(&s->mem, uint32_t, c->part_n + 1);
    for (uint32_t p = 0; p < c->part_n; p++)
        first[p + 1] = first[p] + ids[p].n;
    for (uint32_t op = 0; op < h->n; op++)
        s->cuts.object.value[op] = number[op] == ID_NONE ? ID_NONE : first[c->part_of[op]] + number[op];
    s->cuts.object.values = first[c->part_n];
}

/* Puts back the calls that must stay, and removes the calls that go with a value. */
static bool close(const struct shrinking *s, bool *keep)
{
    const uint8_t *cut = s->cuts.object.cut;
    const uint32_t *value = s->cuts.object.value;
    bool *gone = mem_new_zero((struct mem *)&s->mem, bool, s->cuts.object.values + 1);
    for (uint32_t op = 0; op < s->base->n; op++) {
        keep[op] |= s->keep[op] && cut[op] == ASSAY_CUT_NEVER;
        if (!keep[op] && cut[op] == ASSAY_CUT_WITH_VALUE)
            gone[value[op]] = true;
    }
    bool fine = true;
    for (uint32_t op = 0; op < s->base->n; op++)
        if (keep[op] && value[op] != ID_NONE && gone[value[op]]) {
            fine &= cut[op] != ASSAY_CUT_NEVER;
            keep[op] = false;
        }
    mem_free((struct mem *)&s->mem, gone);
    return fine;
}

static void view(struct shrinking *s, const history *h, struct objects *objects, struct calls **c)
{
    struct object_choice choice = {s->options.object, s->options.spec};
    struct budget none = {0};
    assay_error ignored = {0};
    objects_of(h, choice, &s->mem, objects, &ignored);
    *c = calls_view(h, objects, checker_wish(s->r->model, s->r->skew), &s->mem, &none, &ignored);
}

/* Leaves out the parts that the violation does without, one after another. */
static void leave_out_parts(struct shrinking *s, const struct calls *c)
{
    bool *trial = mem_new(&s->mem, bool, s->base->n + 1);
    for (uint32_t p = 0; p < c->part_n; p++) {
        for (uint32_t op = 0; op < s->base->n; op++)
            trial[op] = s->keep[op] && c->part_of[op] != p;
        if (shrink_still_violates(s, trial))
            memcpy(s->keep, trial, s->base->n * sizeof *trial);
    }
}

void shrink_object(struct shrinking *s)
{
    struct objects *objects = mem_new(&s->mem, struct objects, 2);
    struct calls *all, *c;    /* of the history, of the base */
    s->options.engine = NULL; /* one for large histories may decline small ones */
    s->options.skew = s->r->skew;
    s->options.visibility = s->r->visibility[0] ? s->r->visibility : NULL;
    view(s, s->r->h, &objects[0], &all);
    if (!s->options.object && !s->options.spec && !s->r->h->objects.n)
        s->options.object = s->r->object; /* fewer operations may fit more objects */
    bool prefix = s->r->evidence.prefix && prefix_is_history(all, &s->r->evidence);
    take_part(s, all, prefix);
    s->keep = mem_new(&s->mem, bool, s->r->h->n + 1);
    memset(s->keep, true, s->r->h->n);
    if (prefix && !shrink_still_violates(s, s->keep)) {
        history_free(s->owned);
        s->owned = NULL;
        take_part(s, all, false);
    }
    view(s, s->base, &objects[1], &c);
    s->cuts.object.args = room_for_arguments(s->r->h, &s->mem);
    ask_cuts(s, c);
    s->close = close;
    const struct evidence *ev = &s->r->evidence;
    bool *named = mem_new_zero(&s->mem, bool, s->r->h->n + 1), *trial = mem_new(&s->mem, bool, s->base->n + 1);
    for (uint32_t i = 0; i < ev->kept.n; i++)
        named[ev->kept.at[i]] = true;
    for (uint32_t op = 0; op < s->base->n; op++) /* the refutation may do without initial values, the header does not */
        trial[op] = named[s->origin[op]] || of_initial(s, all, s->origin[op]);
    /* The proof leaves values out of the reads of a whole set, a history does not: all adds stay. */
    bool allowed = !ev->kept.n || !objects_all(&objects[1], spec_find("set", 3)) || close(s, trial);
    if (ev->kept.n && allowed && shrink_still_violates(s, trial))
        memcpy(s->keep, trial, s->base->n * sizeof *trial);
    if (ev->whole)
        leave_out_parts(s, c);
}
