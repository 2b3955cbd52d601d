/* SPDX-License-Identifier: Apache-2.0 */
/* The suspects that the evidence names: is there an order of this cut that explains even their results? All other
 * results are left aside, so that if there is none, the cut has no explanation.
 *
 * A suspect must see certain operations. If the evidence lists sights, these are they, and no others. Each sight is
 * checked, and rests on earlier ones only. An axiom of its operation demands it, by a path whose steps hold. Or it is
 * shown by the result: without it there is no order that explains that one result. If the evidence lists none, a
 * suspect must see all that the axioms demand by po and hb. Axioms that use the visibility or the place of others are
 * left aside then. vis >= lin counts in both cases: the suspect sees all that are placed before it.
 *
 * For one suspect, an order matters only by the set of states in which the object can be (lens.h). An operation that it
 * must see takes each state of the set to the next one. An operation that it may see adds the next ones to the set.
 *
 * The search goes depth first over the orders, an operation at a time. It remembers its states: the placed operations,
 * and the sets of the suspects that are left. Operations that change nothing for any result are left out, and
 * operations that happen after all suspects. A state has no future if it has none for one of the suspects alone. So
 * this is asked first, by the same search for that suspect only, which has far fewer states.
 *
 * In a queue, stack or deque the values move without being looked at. So all values other than the result of a suspect
 * may be taken for the same one when that suspect is asked. */
#include "recheck/weak_axioms.h"

#include "base/bitset.h"
#include "spec/lens.h"

#include <string.h>

enum { WORDS = MOST_SUSPECT_OPERATIONS / 64, GONE = ID_NONE };

struct suspect {
    uint32_t i;
    struct lens lens;
    uint32_t *letter; /* of each operation; ID_NONE: it changes nothing for this one */
    uint64_t *must;   /* operations that it must see: it comes behind them */
    bool late;        /* one of these happens after it, so that it cannot come */
    bool all;         /* it must see all that come before it */
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
    uint32_t *place; /* of an operation of the history: its number in the cut, or ID_NONE */
    uint64_t placed[WORDS];
    uint32_t steps;
};

/* ---- the suspects ---- */

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

/* Must it see an operation that happens after it? */
static bool sees_later(const struct search *s, const struct suspect *x)
{
    for (uint32_t b = 0; b < s->w.n; b++)
        if (bitset_has(x->must, b) && bitset_has(weak_row(&s->w, REL_HB, b), x->i))
            return true;
    return false;
}

/* must: the operations that it must see. */
static void take_suspect(struct search *s, uint32_t i, const uint64_t *must, struct suspect *x)
{
    struct weak_view *w = &s->w;
    struct mem *m = w->v->x->mem;
    assay_value own = w->calls[i].result;
    *x = (struct suspect){.i = i, .letter = mem_new_ids(m, w->n + 1), .must = mem_new_zero(m, uint64_t, w->words)};
    x->other = assay_int(own.kind == ASSAY_INT ? own.integer ^ 1 : 0);
    bitset_join(x->must, must, w->words);
    x->all = sees_all(w, i);
    x->late = sees_later(s, x);
    lens_init(&x->lens, w->spec, retrace_state(&w->at), &w->calls[i], m, w->v->x->budget);
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

/* Have all relevant ones of these operations been placed? */
static bool are_placed(const struct search *s, const struct quest *q, const uint64_t *ops)
{
    for (uint32_t word = 0; word < s->w.words; word++)
        if (ops[word] & q->relevant[word] & ~s->placed[word])
            return false;
    return true;
}

/* Have all been placed that happen before it, and, of a suspect, all that it must see? */
static bool may_come(const struct search *s, const struct quest *q, uint32_t i)
{
    if (bitset_has(s->placed, i) || !are_placed(s, q, weak_row(&s->w, REL_HB, i)))
        return false;
    for (uint32_t k = 0; k < q->n; k++)
        if (q->suspects[k].i == i && (q->suspects[k].late || !are_placed(s, q, q->suspects[k].must)))
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
            next[k] = lens_step(&x->lens, sets[k], x->letter[b], x->all || bitset_has(x->must, b));
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
    if (++s->steps > at_most(s->w.v->x, LIMIT_SUSPECT_STATES))
        return gives_up(s->w.v->x, LIMIT_SUSPECT_STATES);
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

static void release_quest(struct quest *q, struct mem *m)
{
    rows_free(&q->states, m);
    vec_free(m, &q->answers);
}

/* ---- sights ---- */

/* An operation of the evidence, by its number in the cut. */
static bool find(const struct search *s, uint32_t op, const char *what, uint32_t *i)
{
    struct recheck *x = s->w.v->x;
    if (op >= x->h->n)
        return refuse(x, "the %s name operation %u, but the history has only %u", what, op, x->h->n);
    *i = s->place[op];
    return *i != ID_NONE || refuse(x, "the %s name %s, which is left out", what, operation_text(x, op));
}

/* The rows vis have the sights so far. */
static bool step_holds(const struct search *s, enum relation r, uint32_t from, uint32_t to)
{
    const struct weak_view *w = &s->w;
    return bitset_has(weak_row(w, r == REL_LIN ? REL_HB : r, to), from) ||
           (r == REL_LIN && bitset_has(weak_row(w, REL_VIS, to), from));
}

static bool demanded(const struct search *s, const struct sight *sight, uint32_t by, uint32_t seen)
{
    struct recheck *x = s->w.v->x;
    const struct axioms *axioms = s->w.axioms[by];
    uint32_t a = 0, from = seen;
    while (a < axioms->n && !axiom_same(&axioms->at[a], &sight->path))
        a++;
    if (a == axioms->n)
        return refuse(x, "no axiom of %s has the path of its sight", operation_text(x, sight->by));
    for (uint32_t k = 0; k < sight->path.n; k++) {
        uint32_t to = by;
        if (k + 1 < sight->path.n && !find(s, sight->via[k], "sights", &to))
            return false;
        if (!step_holds(s, (enum relation)sight->path.path[k], from, to))
            return refuse(x, "%s need not see %s: a step of the path does not hold", operation_text(x, sight->by),
                          operation_text(x, sight->seen));
        from = to;
    }
    return true;
}

static void release_suspect(struct suspect *x, struct mem *m)
{
    lens_free(&x->lens);
    mem_free(m, x->letter);
    mem_free(m, x->must);
}

/* Has it no explanation without seeing the other? */
static bool shown(struct search *s, const struct sight *sight, uint32_t by, uint32_t seen)
{
    struct recheck *x = s->w.v->x;
    uint32_t first = LENS_FIRST;
    struct suspect own;
    struct quest q = {.suspects = &own, .n = 1};
    if (s->cut->pending[by])
        return refuse(x, "%s has returned nothing that shows a sight", operation_text(x, sight->by));
    take_suspect(s, by, weak_row(&s->w, REL_VIS, by), &own);
    own.letter[seen] = ID_NONE;
    find_relevant(s, &q);
    int found = complete(s, &q, &first);
    release_quest(&q, x->mem);
    release_suspect(&own, x->mem);
    if (found < 0)
        return beyond(x, x->met);
    return !found || refuse(x, "%s need not see %s: its result has another explanation", operation_text(x, sight->by),
                            operation_text(x, sight->seen));
}

/* Fills in the rows vis. */
static bool take_sights(struct search *s)
{
    const struct evidence *ev = &s->w.v->x->line->evidence;
    for (uint32_t k = 0; k < ev->sights.n; k++) {
        const struct sight *sight = &ev->sights.at[k];
        uint32_t by = ID_NONE, seen = ID_NONE;
        if (!find(s, sight->by, "sights", &by) || !find(s, sight->seen, "sights", &seen))
            return false;
        if (by == seen)
            return refuse(s->w.v->x, "%s is said to see itself", operation_text(s->w.v->x, sight->by));
        if (!(sight->path.n ? demanded(s, sight, by, seen) : shown(s, sight, by, seen)))
            return false;
        bitset_add(weak_row(&s->w, REL_VIS, by), seen);
    }
    return true;
}

/* ---- the whole ---- */

static const uint64_t *must_see(struct search *s, uint32_t i)
{
    struct weak_view *w = &s->w;
    if (w->v->x->line->evidence.sights.n)
        return weak_row(w, REL_VIS, i);
    memset(w->present, 0xff, w->words * sizeof *w->present); /* a path goes through any operation */
    return weak_demanded(w, i); /* no order and no visibility is known, so only by po and hb */
}

/* The suspects that the evidence names, by their places in the cut. */
static bool take_suspects(struct search *s, struct quest *q)
{
    struct recheck *x = s->w.v->x;
    const struct evidence *ev = &x->line->evidence;
    if (ev->suspects.n > at_most(x, LIMIT_SUSPECTS))
        return beyond(x, LIMIT_SUSPECTS);
    q->suspects = mem_new(x->mem, struct suspect, ev->suspects.n);
    for (uint32_t k = 0; k < ev->suspects.n; k++) {
        uint32_t i = ID_NONE; /* named twice, it must be explained twice: that is the same */
        if (!find(s, ev->suspects.at[k], "suspects", &i))
            return false;
        take_suspect(s, i, must_see(s, i), &q->suspects[q->n++]);
    }
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

static void release(struct search *s, struct quest *q)
{
    struct mem *m = s->w.v->x->mem;
    for (uint32_t k = 0; k < q->n; k++) {
        if (q->alone)
            release_quest(&q->alone[k], m);
        release_suspect(&q->suspects[k], m);
    }
    release_quest(q, m);
    retrace_end(&s->w.at);
}

int recheck_weak_suspects(const struct object_view *v, const struct object_cut *cut)
{
    struct search s = {.cut = cut};
    struct quest q = {0};
    uint32_t first[MOST_SUSPECTS];
    if (cut->n > at_most(v->x, LIMIT_SUSPECT_OPERATIONS))
        return gives_up(v->x, LIMIT_SUSPECT_OPERATIONS);
    if (!weak_view(v, cut->parts->use, cut->ops, cut->n, &s.w))
        return -1;
    s.w.calls = cut->calls; /* some may have no result any more */
    s.place = mem_new_ids(v->x->mem, v->x->h->n + 1);
    for (uint32_t i = 0; i < cut->n; i++)
        s.place[cut->ops[i]] = i;
    if (!take_sights(&s) || !take_suspects(&s, &q))
        return -1;
    begin(&s, &q);
    for (uint32_t k = 0; k < q.n; k++)
        first[k] = LENS_FIRST;
    int found = complete(&s, &q, first);
    release(&s, &q);
    return found;
}
