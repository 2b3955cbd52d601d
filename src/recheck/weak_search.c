/* SPDX-License-Identifier: Apache-2.0 */
/* The search of recheck for weak consistency: is there an order of this cut, and a set of visible operations for each
 * operation?
 *
 * The search goes depth first, an operation at a time. It tries every operation that may come next, with every set of
 * earlier operations for it to see. The two conditions of weak_axioms.h decide, by definition, whether it may. The
 * search leaves out the following, without loss:
 *
 * Sets that lack an operation which is demanded even if nothing is seen: with more visible operations, no less is
 * demanded.
 *
 * Larger sets. If an operation can see S, a larger set need not be tried for it. Demands have the form vis >= path, and
 * a path reaches no less when more is seen. So in an execution in which it sees more, it may see S alone instead. Then
 * no other operation is demanded to see more, and results of others depend on their own visibility. Sets are counted up
 * as binary numbers, in which a subset comes before the larger set.
 *
 * States that failed. The future depends on the placed operations and on their order, and, if paths of several steps
 * use vis, on their visibility. Of the order, the places of observers do not matter unless paths of several steps use
 * lin: they change nothing for operations that see them. But where an observer can be blocked, its place decides
 * whether it is. Reads within a transaction are like that. */
#include "recheck/weak_axioms.h"

#include "base/bitset.h"
#include "base/rows.h"

enum { MOST_PLACED = MOST_VISIBILITY_OPERATIONS + 1 };
_Static_assert(MOST_PLACED <= 64, "sets of operations are words");

struct search {
    struct weak_view w; /* of one word a row */
    const struct object_cut *cut;
    uint64_t must;                 /* completed ones */
    bool *observer;                /* it changes nothing, for every result, and is never blocked */
    bool vis_matters, lin_matters; /* to later demands */
    uint32_t order[MOST_PLACED], length;
    struct rows seen;
    uint32_t steps;
};

static bool used_by_longer_paths(const struct weak_view *w, enum relation r)
{
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t a = 0; a < w->axioms[i]->n; a++) {
            const struct axiom *axiom = &w->axioms[i]->at[a];
            for (uint32_t step = 0; axiom->n > 1 && step < axiom->n; step++)
                if (axiom->path[step] == r)
                    return true;
        }
    return false;
}

/* Are calls that change nothing never blocked? */
static bool observers_go_on(const assay_spec *spec)
{
    return !spec_may_block(spec) || spec_is(spec, "memory") || spec_is(spec, "counter");
}

static bool seen_before(struct search *s)
{
    uint64_t row[1 + MOST_PLACED / 8 + MOST_PLACED] = {
        *s->w.present}; /* the placed operations, their order and their visibility */
    uint32_t words = 1 + MOST_PLACED / 8;
    char *order = (char *)(row + 1);
    for (uint32_t at = 0; at < s->length; at++)
        if (!s->observer[s->order[at]] || s->lin_matters)
            *order++ = (char)(1 + s->order[at]);
    for (uint32_t i = 0; i < s->w.n && s->vis_matters; i++)
        if (bitset_has(s->w.present, i))
            row[words++] = *weak_row(&s->w, REL_VIS, i);
    return !rows_add(&s->seen, s->w.v->x->mem, row, words * sizeof *row);
}

/* All operations that must come before it have been placed. An operation that happens before another one is never
 * pending itself. So it took effect, even if it is open at the end of the cut. (With equal times it may be, as its
 * thread goes on.) */
static bool may_come(const struct search *s, uint32_t i)
{
    uint64_t placed = *s->w.present;
    return !(placed >> i & 1) && !(*weak_row(&s->w, REL_HB, i) & ~placed);
}

static void place(struct search *s, uint32_t i)
{
    *weak_row(&s->w, REL_LIN, i) = *s->w.present;
    *s->w.present |= (uint64_t)1 << i;
    s->order[s->length++] = i;
}

static void take_back(struct search *s)
{
    *s->w.present &= ~((uint64_t)1 << s->order[--s->length]);
}

/* The operations that the bits of the number stand for. */
static uint64_t set_of(const uint32_t *ops, uint64_t number)
{
    uint64_t set = 0;
    for (uint32_t at = 0; number >> at; at++)
        set |= (number >> at & 1) << ops[at];
    return set;
}

static bool contains_one_of(uint64_t set, const uint64_t *smaller, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!(smaller[k] & ~set))
            return true;
    return false;
}

static int complete(struct search *s);

/* Places i next, in all ways. */
static int try_next(struct search *s, uint32_t i)
{
    VEC(uint64_t) fit = {0};
    uint64_t *sees = weak_row(&s->w, REL_VIS, i);
    uint32_t free[MOST_PLACED], free_n = 0, length = s->length;
    int found = 0;
    place(s, i);
    *sees = 0;
    uint64_t least = *weak_demanded(&s->w, i);
    for (uint32_t at = 0; at < length; at++)
        if (!(least >> s->order[at] & 1))
            free[free_n++] = s->order[at];
    for (uint64_t number = 0; !(number >> free_n) && !found; number++) {
        budget_tick(s->w.v->x->budget);
        if (++s->steps > at_most(s->w.v->x, LIMIT_VISIBILITY_SETS))
            found = gives_up(s->w.v->x, LIMIT_VISIBILITY_SETS);
        *sees = least | set_of(free, number);
        if (found || contains_one_of(*sees, fit.at, fit.n) || weak_unseen(&s->w, i) != ID_NONE ||
            !weak_explained(&s->w, i, s->order, length))
            continue;
        vec_push(s->w.v->x->mem, &fit, *sees);
        found = complete(s);
    }
    take_back(s);
    vec_free(s->w.v->x->mem, &fit);
    return found;
}

/* As deep as there are operations: at most MOST_PLACED. */
static int complete(struct search *s)
{
    if (!(s->must & ~*s->w.present))
        return 1;
    if (seen_before(s))
        return 0;
    int found = 0;
    for (uint32_t i = 0; i < s->w.n && !found; i++)
        if (may_come(s, i))
            found = try_next(s, i);
    return found;
}

int recheck_weak_search(const struct object_view *v, const struct object_cut *cut)
{
    struct search s = {.cut = cut};
    if (cut->n > at_most(v->x, LIMIT_VISIBILITY_OPERATIONS))
        return gives_up(v->x, LIMIT_VISIBILITY_OPERATIONS);
    if (!weak_view(v, cut->parts->use, cut->ops, cut->n, &s.w))
        return -1;
    s.w.calls = cut->calls; /* some may have no result any more */
    s.observer = mem_new_zero(v->x->mem, bool, cut->n + 1);
    for (uint32_t i = 0; i < cut->n; i++) {
        s.observer[i] = observers_go_on(s.w.spec) && spec_is_observer(s.w.spec, &cut->calls[i]);
        if (!cut->pending[i])
            s.must |= (uint64_t)1 << i;
    }
    s.vis_matters = used_by_longer_paths(&s.w, REL_VIS);
    s.lin_matters = used_by_longer_paths(&s.w, REL_LIN);
    int found = complete(&s);
    rows_free(&s.seen, v->x->mem);
    retrace_end(&s.w.at);
    return found;
}
