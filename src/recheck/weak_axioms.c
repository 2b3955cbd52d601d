/* SPDX-License-Identifier: Apache-2.0 */
/* A weakly consistent history: one order, and the visibility.
 *
 * The order is checked like that of a linearizable object, except for the results (object.c). This file checks three
 * claims. Visible operations stand earlier. An operation sees the operations that its level demands. It returns the
 * result of the object after the operations that it sees. Visible operations are executed anew. Their own results were
 * explained by the operations that they saw, and are not compared.
 *
 * A demand vis >= p1;...;pk of operation i is checked by definition: from i back along pk, then p(k-1), ..., and i must
 * see all operations that are reached. Happens-before is closed transitively first. */
#include "recheck/weak_axioms.h"

#include "base/bitset.h"

#include <string.h>

/* ---- the view ---- */

static void take_orders(struct weak_view *w)
{
    const history *h = w->v->x->h;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t j = 0; j < w->n; j++) {
            uint32_t a = w->ops[j], b = w->ops[i];
            if (h->thread[a] == h->thread[b] && w->v->index[a] < w->v->index[b])
                bitset_add(weak_row(w, REL_PO, i), j);
            if (i != j && object_before(w->v, a, b))
                bitset_add(weak_row(w, REL_HB, i), j);
        }
    for (uint32_t through = 0; through < w->n; through++)
        for (uint32_t i = 0; i < w->n; i++)
            if (bitset_has(weak_row(w, REL_HB, i), through))
                bitset_join(weak_row(w, REL_HB, i), weak_row(w, REL_HB, through), w->words);
}

bool weak_view(const struct object_view *v, const struct object_use *use, const uint32_t *ops, uint32_t n,
               struct weak_view *out)
{
    struct recheck *x = v->x;
    struct mem *m = x->mem;
    struct weak_view w = {.v = v, .spec = use->spec, .ops = ops, .n = n, .words = (uint32_t)bitset_words(n ? n : 1)};
    if (!w.spec->create || w.spec->choices)
        return cannot_judge(
            x, "recheck cannot judge weak consistency of an object without states, or whose calls have several "
               "outcomes");
    for (uint32_t i = 0; i < n && spec_tags_differ(w.spec, &use->setting); i++)
        if (history_arity(x->h, ops[i]))
            return cannot_judge(x, "recheck cannot judge weak consistency here: " SPEC_TAGS_DIFFER);
    if (n > at_most(x, LIMIT_VISIBLE_OPERATIONS))
        return beyond(x, LIMIT_VISIBLE_OPERATIONS);
    assay_error unsaid = {0};
    if (!visibility_parse(x->line->model->axioms, x->line->visibility, &w.visibility, &unsaid))
        return refuse(x, "the axioms or levels cannot be read");
    for (uint32_t i = 0; i < w.visibility.n; i++)
        if (!spec_has_method(v->objects.at[0].spec, w.visibility.at[i].method))
            return refuse(x, "the object has no method '%s'", w.visibility.at[i].method);
    for (int r = REL_PO; r <= REL_VIS; r++)
        w.before[r] = mem_new_zero(m, uint64_t, mem_product(n + 1, w.words));
    w.present = mem_new_zero(m, uint64_t, w.words);
    w.walk[0] = mem_new(m, uint64_t, w.words);
    w.walk[1] = mem_new(m, uint64_t, w.words);
    w.demanded = mem_new(m, uint64_t, w.words);
    w.calls = mem_new(m, assay_call, n + 1);
    w.axioms = mem_new(m, const struct axioms *, n + 1);
    w.saved = mem_new(m, assay_saved, n + 1);
    w.changed = mem_new(m, uint32_t, n + 1);
    retrace_begin(&w.at, w.spec, &use->setting, (assay_value){0}, m);
    *out = w; /* the axioms point into it */
    for (uint32_t i = 0; i < n; i++) {
        out->calls[i] = object_call(v, ops[i]);
        out->axioms[i] = visibility_of(&out->visibility, objects_method(&v->objects, ops[i])->name);
    }
    take_orders(out);
    return true;
}

/* ---- the two questions ---- */

const uint64_t *weak_demanded(struct weak_view *w, uint32_t i)
{
    memset(w->demanded, 0, w->words * sizeof *w->demanded);
    for (uint32_t a = 0; a < w->axioms[i]->n; a++) {
        const struct axiom *axiom = &w->axioms[i]->at[a];
        uint64_t *from = w->walk[0], *to = w->walk[1];
        memset(from, 0, w->words * sizeof *from);
        bitset_add(from, i);
        for (uint32_t step = axiom->n; step-- > 0;) {
            memset(to, 0, w->words * sizeof *to);
            for (size_t b = bitset_next(from, w->n, 0); b < w->n; b = bitset_next(from, w->n, b + 1))
                bitset_join(to, weak_row(w, (enum relation)axiom->path[step], (uint32_t)b), w->words);
            for (uint32_t word = 0; word < w->words; word++)
                to[word] &= w->present[word];
            uint64_t *other = from;
            from = to;
            to = other;
        }
        bitset_join(w->demanded, from, w->words);
    }
    return w->demanded;
}

uint32_t weak_unseen(struct weak_view *w, uint32_t i)
{
    const uint64_t *demanded = weak_demanded(w, i), *sees = weak_row(w, REL_VIS, i);
    for (size_t b = bitset_next(demanded, w->n, 0); b < w->n; b = bitset_next(demanded, w->n, b + 1))
        if (!bitset_has(sees, b))
            return (uint32_t)b;
    return ID_NONE;
}

bool weak_explained(struct weak_view *w, uint32_t i, const uint32_t *order, uint32_t n)
{
    const uint64_t *sees = weak_row(w, REL_VIS, i);
    uint32_t steps = 0;
    bool fits = true;
    for (uint32_t at = 0; at <= n && fits; at++) {
        uint32_t b = at < n ? order[at] : i; /* the operations that it sees, then itself */
        if (b != i && !bitset_has(sees, b))
            continue;
        assay_value answer = {0};
        assay_effect effect = b == i ? retrace_step(&w->at, &w->calls[b], 0, &answer, &w->saved[steps])
                                     : retrace_invoke(&w->at, &w->calls[b], &w->saved[steps]);
        assay_value recorded = w->calls[b].result;
        fits = effect != ASSAY_BLOCKED && (b != i || recorded.kind == ASSAY_NONE || assay_value_same(recorded, answer));
        if (effect == ASSAY_CHANGED)
            w->changed[steps++] = b;
    }
    while (steps-- > 0)
        retrace_back(&w->at, &w->calls[w->changed[steps]], &w->saved[steps]);
    return fits;
}

/* ---- the witness ---- */

static bool take_visible(struct weak_view *w)
{
    struct recheck *x = w->v->x;
    const struct evidence *ev = &x->line->evidence;
    uint32_t *place = mem_new_ids(x->mem, x->h->n + 1);
    for (uint32_t i = 0; i < w->n; i++)
        place[w->ops[i]] = i;
    for (uint32_t k = 0; k < ev->visible.n; k++) {
        assay_pair pair = ev->visible.at[k];
        if (pair.first >= x->h->n || pair.second >= x->h->n)
            return refuse(x, "visible names operation %u, but the history has only %u",
                          pair.first >= x->h->n ? pair.first : pair.second, x->h->n);
        uint32_t seen = place[pair.first], by = place[pair.second];
        if (seen == ID_NONE || by == ID_NONE)
            return refuse(x, "visible names %s, which is not in the order",
                          operation_text(x, seen == ID_NONE ? pair.first : pair.second));
        if (seen >= by)
            return refuse(x, "%s is said to see %s, which does not stand before it in the order",
                          operation_text(x, pair.second), operation_text(x, pair.first));
        bitset_add(weak_row(w, REL_VIS, by), seen);
    }
    mem_free(x->mem, place);
    return true;
}

bool recheck_visible(const struct object_view *v)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    bool any = ev->orders.n;
    const uint32_t *ops = any ? ev->ops.at + ev->orders.at[0].at : NULL;
    struct weak_view w;
    if (!weak_view(v, &v->objects.at[0], ops, any ? ev->orders.at[0].count : 0, &w) || !take_visible(&w))
        return false;
    uint32_t *order = mem_new(x->mem, uint32_t, w.n + 1);
    for (uint32_t i = 0; i < w.n; i++) {
        order[i] = i;
        bitset_add(w.present, i);
        for (uint32_t j = 0; j < i; j++)
            bitset_add(weak_row(&w, REL_LIN, i), j);
    }
    for (uint32_t i = 0; i < w.n; i++) {
        uint32_t unseen = weak_unseen(&w, i);
        if (unseen != ID_NONE)
            return refuse(x, "%s must see %s, and does not", operation_text(x, ops[i]), operation_text(x, ops[unseen]));
        if (!weak_explained(&w, i, order, i))
            return refuse(x, "%s is not what the object does after what it sees", operation_text(x, ops[i]));
    }
    retrace_end(&w.at);
    return true;
}
