/* SPDX-License-Identifier: Apache-2.0 */
/* The suspects that the evidence names: is there an order of this cut that explains even their results? All other
 * results are left aside, so that if there is none, the cut has no explanation.
 *
 * The axioms must be of two kinds: vis >= lin, and paths of po and hb. Then the demands on a suspect follow from the
 * history and from the order before it. The visibility of others is of no account. For one suspect, an order matters
 * only by the set of states in which the object can be (lens.h). An operation that it must see takes each state of the
 * set to the next one. An operation that it may see adds the next ones to the set.
 *
 * The search goes depth first over the orders, an operation at a time. It remembers its states: the placed operations,
 * and the sets of the suspects that are left. Operations that change nothing for any result are left out, and
 * operations that happen after all suspects. A state has no future if it has none for one of the suspects alone. So
 * this is asked first, by the same search for that suspect only, which has far fewer states.
 *
 * In a queue, stack or deque the values move without being looked at. So all values other than the result of a suspect
 * may be taken for the same one when that suspect is asked. */
#include "recheck/weak.h"

#include "base/bitset.h"
#include "spec/lens.h"

#include <string.h>

enum { MOST_STEPS = 8000000, MOST_OPERATIONS = 1024, MOST_SUSPECTS = 64, WORDS = MOST_OPERATIONS / 64, GONE = ID_NONE };

struct suspect {
    uint32_t i;
    struct lens lens;
    uint32_t *letter; /* of each operation; ID_NONE: it changes nothing for this one */
    uint64_t *must;   /* operations that it must see */
    assay_value other;
};

struct quest { /* the search for an order that explains some of the suspects */
    struct suspect *suspects;
    uint32_t n;
    uint64_t relevant[WORDS];
    struct rows states;
    VEC(bool) answers;   /* to them: is there such an order? */
    struct quest *alone; /* for each of the suspects, one for it alone; NULL: there is only one */
};

struct search {
    struct weak_view w;
    const struct object_cut *cut;
    uint64_t placed[WORDS];
    uint32_t steps;
};

/* ---- the suspects ---- */

static bool is_plain(const struct axiom *a)
{
    for (uint32_t step = 0; step < a->n; step++)
        if (a->n > 1 && (a->path[step] == REL_LIN || a->path[step] == REL_VIS))
            return false;
    return true;
}

/* Does no axiom of the operation need to know the visibility or the place of another one? */
static bool demands_are_plain(const struct weak_view *w, uint32_t i)
{
    for (uint32_t a = 0; a < w->axioms[i]->n; a++)
        if (!is_plain(&w->axioms[i]->at[a]))
            return false;
    return true;
}

static bool sees_all(const struct weak_view *w, uint32_t i)
{
    for (uint32_t a = 0; a < w->axioms[i]->n; a++)
        if (w->axioms[i]->at[a].n == 1 && w->axioms[i]->at[a].path[0] == REL_LIN)
            return true;
    return false;
}

static bool moves_values_only(const assay_spec *spec)
{
    return spec_is(spec, "queue") || spec_is(spec, "stack") || spec_is(spec, "deque");
}

static assay_call as_seen(const struct search *s, const struct suspect *x, uint32_t b)
{
    assay_call call = s->w.calls[b];
    if (moves_values_only(s->w.spec) && call.arg_count == 1 && !assay_value_same(call.args[0], s->w.calls[x->i].result))
        call.args = &x->other;
    return call;
}

static void take_suspect(struct search *s, uint32_t i, struct suspect *x)
{
    struct weak_view *w = &s->w;
    struct mem *m = w->v->x->mem;
    assay_value own = w->calls[i].result;
    *x = (struct suspect){.i = i, .letter = mem_new_ids(m, w->n + 1), .must = mem_new_zero(m, uint64_t, w->words)};
    x->other = assay_int(own.kind == ASSAY_INT ? own.integer ^ 1 : 0);
    memset(w->present, 0xff, w->words * sizeof *w->present); /* a path goes through any operation */
    bitset_join(x->must, weak_demanded(w, i), w->words);
    if (sees_all(w, i))
        memset(x->must, 0xff, w->words * sizeof *x->must);
    lens_init(&x->lens, w->spec, w->state, &w->calls[i], m, w->v->x->budget);
    for (uint32_t b = 0; b < w->n; b++)
        if (b != i && !bitset_has(weak_row(w, REL_HB, b), i) && !spec_is_observer(w->spec, &w->calls[b]))
            x->letter[b] = lens_letter(&x->lens, as_seen(s, x, b));
}

/* ---- the search ---- */

static void find_relevant(const struct search *s, struct quest *q)
{
    for (uint32_t k = 0; k < q->n; k++) {
        bitset_add(q->relevant, q->suspects[k].i);
        for (uint32_t b = 0; b < s->w.n; b++)
            if (q->suspects[k].letter[b] != ID_NONE)
                bitset_add(q->relevant, b);
    }
}

/* Have all relevant operations that happen before it been placed? */
static bool may_come(const struct search *s, const struct quest *q, uint32_t i)
{
    const uint64_t *before = weak_row(&s->w, REL_HB, i);
    if (bitset_has(s->placed, i))
        return false;
    for (uint32_t word = 0; word < s->w.words; word++)
        if (before[word] & q->relevant[word] & ~s->placed[word])
            return false;
    return true;
}

/* The sets once b is placed. False: b is a suspect, and not explained. */
static bool step(struct quest *q, const uint32_t *sets, uint32_t b, uint32_t *next)
{
    for (uint32_t k = 0; k < q->n; k++) {
        struct suspect *x = &q->suspects[k];
        next[k] = sets[k];
        if (x->i == b && !lens_hopes(&x->lens, sets[k]))
            return false;
        if (x->i == b)
            next[k] = GONE;
        else if (sets[k] != GONE && x->letter[b] != ID_NONE)
            next[k] = lens_step(&x->lens, sets[k], x->letter[b], bitset_has(x->must, b));
    }
    return true;
}

/* A pending suspect may have had no effect. */
static bool all_gone(const struct search *s, const struct quest *q, const uint32_t *sets)
{
    for (uint32_t k = 0; k < q->n; k++)
        if (sets[k] != GONE && !s->cut->pending[q->suspects[k].i])
            return false;
    return true;
}

/* The number of the state, which is new if it is q->answers.n. */
static uint32_t state_number(const struct search *s, struct quest *q, const uint32_t *sets)
{
    uint64_t row[WORDS + MOST_SUSPECTS];
    uint32_t n = 0;
    for (uint32_t word = 0; word < s->w.words; word++)
        row[n++] = s->placed[word] & q->relevant[word];
    for (uint32_t k = 0; k < q->n; k++)
        row[n++] = sets[k];
    return rows_number(&q->states, s->w.v->x->mem, row, n * sizeof *row);
}

/* As deep as there are operations. */
static int complete(struct search *s, struct quest *q, const uint32_t *sets)
{
    uint32_t next[MOST_SUSPECTS];
    if (all_gone(s, q, sets))
        return 1;
    uint32_t number = state_number(s, q, sets);
    if (number < q->answers.n)
        return q->answers.at[number];
    vec_push(s->w.v->x->mem, &q->answers, false);
    budget_tick(s->w.v->x->budget);
    if (++s->steps > MOST_STEPS)
        return -1;
    for (uint32_t k = 0; q->alone && k < q->n; k++) {
        int hope = sets[k] == GONE ? 1 : complete(s, &q->alone[k], &sets[k]);
        if (hope != 1)
            return hope;
    }
    int found = 0;
    for (size_t b = bitset_next(q->relevant, s->w.n, 0); b < s->w.n && !found;
         b = bitset_next(q->relevant, s->w.n, b + 1)) {
        if (!may_come(s, q, (uint32_t)b) || !step(q, sets, (uint32_t)b, next))
            continue;
        bitset_add(s->placed, b);
        found = complete(s, q, next);
        bitset_remove(s->placed, b);
    }
    q->answers.at[number] = found == 1;
    return found;
}

/* ---- the whole ---- */

/* The suspects that the evidence names, by their places in the cut. */
static bool take_suspects(struct search *s, struct quest *q)
{
    struct recheck *x = s->w.v->x;
    const struct evidence *ev = &x->line->evidence;
    uint32_t *place = mem_new_ids(x->mem, x->h->n + 1);
    if (ev->suspects.n > MOST_SUSPECTS)
        return refuse(x, "recheck follows at most %d suspects", MOST_SUSPECTS);
    for (uint32_t i = 0; i < s->cut->n; i++)
        place[s->cut->ops[i]] = i;
    q->suspects = mem_new(x->mem, struct suspect, ev->suspects.n);
    for (uint32_t k = 0; k < ev->suspects.n; k++) {
        uint32_t op = ev->suspects.at[k]; /* named twice, it must be explained twice: that is the same */
        if (op >= x->h->n)
            return refuse(x, "the suspects name operation %u, but the history has only %u", op, x->h->n);
        uint32_t i = place[op];
        if (i == ID_NONE)
            return refuse(x, "%s is a suspect, but left out", operation_text(x, op));
        if (!demands_are_plain(&s->w, i))
            return refuse(x, "%s is a suspect, but its demands depend on the visibility of others",
                          operation_text(x, op));
        take_suspect(s, i, &q->suspects[q->n++]);
    }
    mem_free(x->mem, place);
    return true;
}

static void begin(const struct search *s, struct quest *q)
{
    struct mem *m = s->w.v->x->mem;
    find_relevant(s, q);
    q->alone = q->n > 1 ? mem_new_zero(m, struct quest, q->n) : NULL;
    for (uint32_t k = 0; q->alone && k < q->n; k++) {
        q->alone[k] = (struct quest){.suspects = &q->suspects[k], .n = 1};
        find_relevant(s, &q->alone[k]);
    }
}

static void release_quest(struct quest *q, struct mem *m)
{
    rows_free(&q->states, m);
    vec_free(m, &q->answers);
}

static void release(struct search *s, struct quest *q)
{
    struct mem *m = s->w.v->x->mem;
    for (uint32_t k = 0; k < q->n; k++) {
        if (q->alone)
            release_quest(&q->alone[k], m);
        lens_free(&q->suspects[k].lens);
    }
    release_quest(q, m);
    hook_destroy(s->w.spec, s->w.state, m);
}

int recheck_weak_suspects(const struct object_view *v, const struct object_cut *cut)
{
    struct search s = {.cut = cut};
    struct quest q = {0};
    uint32_t first[MOST_SUSPECTS];
    if (cut->n > MOST_OPERATIONS || !weak_view(v, cut->parts->use, cut->ops, cut->n, &s.w))
        return -1;
    if (!take_suspects(&s, &q))
        return -1;
    begin(&s, &q);
    for (uint32_t k = 0; k < q.n; k++)
        first[k] = LENS_FIRST;
    int found = complete(&s, &q, first);
    release(&s, &q);
    return found;
}
