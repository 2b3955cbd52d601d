/* SPDX-License-Identifier: Apache-2.0 */
/* Blame for a violation of weak consistency: a reason that a person can check.
 *
 * Idea: derive the operations that each call must see, and name a call whose result contradicts that. A sight says
 * that one operation sees another one. There are two rules. An axiom vis >= path demands it, where the steps vis of
 * the path are earlier sights. Or the result of the call shows it: no order explains the result if the call does
 * not see that operation. When a call sees more, the axioms demand more of others, and so on. Some call may then
 * have no explanation by itself (suspect.h): it is the culprit. The operations that it must see are reduced until
 * each is needed.
 *
 * If every single call has an explanation, several results contradict each other. The axioms say which operations
 * each must see, and suspects.c searches for an order that explains all. If there is none, calls are left out as
 * long as that stays so. The rest is irreducible: each of its calls is needed. It need not be the smallest such
 * set.
 *
 * Invariant: a sight rests on the history and on earlier sights only. So a list of sights can be rechecked one by
 * one.
 *
 * Source: our own. Deletion filters for irreducible sets are from Chinneck and Dravnieks (1991). */
#include "weak/suspect.h"

#include <string.h>

enum {
    MOST_BLAMED = 256, /* operations, in which blame is sought */
    EFFORT = 6000      /* ticks of the budget for each of its stages: some milliseconds */
};

struct blame {
    struct weak *w;
    struct weak_task *t;
    struct set *sees; /* of an operation: those that it must see, if it takes effect */
    VEC(struct sight) sights;
    uint32_t *suspects, n;
    struct set *must; /* of the suspects, those that the argument needs */
};

static void begin_stage(struct weak *w)
{
    w->since = w->job->budget->ticks;
    w->task->effort = EFFORT;
}

/* ---- sights ---- */

static struct set row(const struct blame *b, enum relation r, uint32_t o)
{
    struct set s = r == REL_PO ? b->w->before[0][o] : r == REL_HB ? b->w->before[1][o] : b->sees[o];
    if (r == REL_LIN)
        set_join(&s, &b->w->before[1][o]);
    return s;
}

/* at[k]: the operations from which o is reached by the last k steps of the path. */
static void walk_back(const struct blame *b, const struct axiom *a, uint32_t o, struct set *at)
{
    at[0] = (struct set){0};
    set_add(&at[0], o);
    for (uint32_t k = 1; k <= a->n; k++) {
        at[k] = (struct set){0};
        SET_EACH (through, &at[k - 1]) {
            struct set before = row(b, (enum relation)a->path[a->n - k], through);
            set_join(&at[k], &before);
        }
    }
}

static void add_sight(struct blame *b, struct sight s)
{
    set_add(&b->sees[s.by], s.seen);
    vec_push(b->w->job->mem, &b->sights, s);
}

/* The path from `seen` to o, operation by operation. */
static struct sight sight_by_path(const struct blame *b, const struct axiom *a, uint32_t o, uint32_t seen,
                                  const struct set *at)
{
    struct sight s = {.by = o, .seen = seen, .path = *a};
    uint32_t from = seen;
    for (uint32_t k = a->n; k-- > 1;) {
        uint32_t next = ID_NONE;
        SET_EACH (through, &at[k]) {
            struct set before = row(b, (enum relation)a->path[a->n - 1 - k], through);
            if (next == ID_NONE && set_has(&before, from))
                next = through;
        }
        s.via[a->n - 1 - k] = from = next;
    }
    return s;
}

/* Adds the sights that the axioms demand of o; false: there are no new ones. */
static bool demand(struct blame *b, uint32_t o)
{
    struct set at[AXIOM_LONGEST + 1];
    const struct weak *w = b->w;
    bool any = false;
    for (uint32_t p = 0; p < w->d.paths; p++) {
        if (!(w->demands[o] >> p & 1))
            continue;
        walk_back(b, &w->d.path[p], o, at);
        struct set fresh = at[w->d.path[p].n];
        set_less(&fresh, &b->sees[o]);
        SET_EACH (seen, &fresh) {
            if (seen == o)
                continue;
            struct sight s = sight_by_path(b, &w->d.path[p], o, seen, at);
            add_sight(b, s);
            any = true;
        }
    }
    return any;
}

static void close_sights(struct blame *b)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t o = 0; o < b->w->x.n; o++)
            more |= demand(b, o);
    }
}

/* ---- one call ---- */

static bool completed(const struct weak *w, uint32_t o)
{
    return w->x.lane_of[o] != ID_NONE;
}

static void blind(struct suspect *x, uint32_t to)
{
    x->letter[to] = NO_LETTER;
    set_drop(&x->noticed, to);
}

/* One of these operations that happens after o, so that it cannot be seen, or ID_NONE. */
static uint32_t too_late(const struct blame *b, uint32_t o, const struct set *must)
{
    SET_EACH (u, must)
        if (set_has(&b->w->before[1][u], o))
            return u;
    return ID_NONE;
}

/* Is there an order that explains o by itself, if it must see these, and does not see `without`? */
static bool explains_alone(const struct blame *b, uint32_t o, const struct set *must, uint32_t without)
{
    struct set none = {0};
    if (too_late(b, o, must) != ID_NONE)
        return false;
    struct suspect *x = suspect_new(b->w, o);
    x->must = *must;
    if (without != ID_NONE)
        blind(x, without);
    bool yes = suspect_has_hope(x, b->w, &none, LENS_FIRST);
    suspect_free(x, b->w->job->mem);
    return yes;
}

static bool is_accused(const struct weak_task *t, uint32_t o)
{
    for (uint32_t i = 0; i < t->accused.n; i++)
        if (t->accused.at[i] == o)
            return true;
    return false;
}

/* The calls to look at, the one that returns first before the others: those that the search accuses, or else all
 * completed ones. */
static uint32_t *by_return(const struct weak *w, uint32_t *n)
{
    uint32_t *ops = mem_new(w->job->mem, uint32_t, w->x.n + 1);
    *n = 0;
    for (uint32_t o = 0; o < w->x.n; o++)
        if (completed(w, o) && (!w->task->accused.n || is_accused(w->task, o)))
            ops[(*n)++] = o;
    if (w->x.c->call)
        sort_few_by(ops, *n, w->x.ends);
    return ops;
}

/* The first call that has no explanation by itself, or ID_NONE. */
static uint32_t inexplicable(const struct blame *b, const uint32_t *ops, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!explains_alone(b, ops[i], &b->sees[ops[i]], ID_NONE))
            return ops[i];
    return ID_NONE;
}

/* Adds the sights that the result of o shows. */
static bool read_result(struct blame *b, uint32_t o)
{
    const struct weak *w = b->w;
    bool any = false;
    struct set open = suspect_noticed(w, o);
    set_less(&open, &b->sees[o]);
    SET_EACH (u, &open) {
        if (explains_alone(b, o, &b->sees[o], u))
            continue;
        add_sight(b, (struct sight){.by = o, .seen = u});
        any = true;
    }
    return any;
}

/* Results show sights, and axioms demand further ones, until one call has no explanation. */
static uint32_t derive(struct blame *b, const uint32_t *ops, uint32_t n)
{
    close_sights(b);
    uint32_t found = inexplicable(b, ops, n);
    for (bool more = !b->w->asked.plain; more && found == ID_NONE;) {
        more = false;
        for (uint32_t i = 0; i < n; i++)
            more |= read_result(b, ops[i]);
        close_sights(b);
        if (more)
            found = inexplicable(b, ops, n);
    }
    return found;
}

/* Of the operations that o must see, those without which it would have an explanation. */
static struct set reduced(const struct blame *b, uint32_t o, struct set must, uint32_t without)
{
    uint32_t late = too_late(b, o, &must);
    if (late != ID_NONE) {
        must = (struct set){0};
        set_add(&must, late);
        return must;
    }
    struct set noticed = suspect_noticed(b->w, o);
    set_meet(&must, &noticed); /* it cannot tell whether it sees others */
    SET_EACH (u, &must) {
        struct set less = must;
        set_drop(&less, u);
        if (!explains_alone(b, o, &less, without))
            must = less;
    }
    return must;
}

/* ---- the argument ---- */

static void need_pair(const struct blame *b, bool *needed, uint32_t before, uint32_t by, uint32_t seen)
{
    for (uint32_t i = 0; i < before; i++)
        needed[i] |= b->sights.at[i].by == by && b->sights.at[i].seen == seen;
}

/* A sight by a path rests on its steps vis, and those of its steps lin that are no steps of hb. */
static void need_steps(const struct blame *b, bool *needed, uint32_t i)
{
    const struct sight *s = &b->sights.at[i];
    for (uint32_t k = 0; k < s->path.n; k++) {
        uint32_t from = k ? s->via[k - 1] : s->seen, to = k + 1 < s->path.n ? s->via[k] : s->by;
        bool known = s->path.path[k] == REL_LIN && set_has(&b->w->before[1][to], from);
        if (s->path.path[k] == REL_VIS || (s->path.path[k] == REL_LIN && !known))
            need_pair(b, needed, i, to, from);
    }
}

/* The sights of `by` before the i-th one. */
static struct set seen_until(const struct blame *b, uint32_t i, uint32_t by)
{
    struct set all = {0};
    for (uint32_t k = 0; k < i; k++)
        if (b->sights.at[k].by == by)
            set_add(&all, b->sights.at[k].seen);
    return all;
}

static void need_for_result(const struct blame *b, bool *needed, uint32_t i)
{
    const struct sight *s = &b->sights.at[i];
    struct set must = reduced(b, s->by, seen_until(b, i, s->by), s->seen);
    SET_EACH (u, &must)
        need_pair(b, needed, i, s->by, u);
}

/* Hands the suspects to the task, with the sights that the argument needs, and the calls that show them. */
static void conclude(const struct blame *b)
{
    struct mem *m = b->w->job->mem;
    struct weak_task *t = b->t;
    bool *needed = mem_new_zero(m, bool, b->sights.n + 1);
    vec_clear(&t->accused);
    vec_clear(&t->sights);
    for (uint32_t k = 0; k < b->n; k++) {
        vec_push(m, &t->accused, b->suspects[k]);
        SET_EACH (u, &b->must[k])
            need_pair(b, needed, b->sights.n, b->suspects[k], u);
    }
    for (uint32_t i = b->sights.n; i-- > 0;)
        if (needed[i])
            (b->sights.at[i].path.n ? need_steps : need_for_result)(b, needed, i);
    for (uint32_t i = 0; i < b->sights.n; i++) {
        const struct sight *s = &b->sights.at[i];
        if (needed[i])
            vec_push(m, &t->sights, *s);
        if (needed[i] && !s->path.n && !is_accused(t, s->by))
            vec_push(m, &t->accused, s->by);
    }
    sort_few(t->accused.at, t->accused.n);
    t->culprit = b->suspects[0];
    t->alone = b->n == 1;
    t->irreducible = t->accused.n == b->n && !weak_spent(b->w);
    mem_free(m, needed);
}

/* The results that o can return if it must see these. Values count as they are: all of them are shown. */
static void note_answers(struct blame *b, uint32_t o, const struct set *must, const struct set *blind_to,
                         struct linear_answers *out)
{
    bool alike = b->w->alike;
    b->w->alike = false;
    struct suspect *x = suspect_new(b->w, o);
    x->must = *must;
    SET_EACH (u, blind_to)
        blind(x, u);
    suspect_answers(x, b->w, out);
    suspect_free(x, b->w->job->mem);
    b->w->alike = alike;
}

/* The operations that it must see, and those that it may see. */
static struct weak_view view_of(const struct blame *b, uint32_t o)
{
    struct mem *m = b->w->job->mem;
    struct weak_view v = {.by = o};
    struct set noticed = suspect_noticed(b->w, o);
    SET_EACH (u, &noticed)
        if (set_has(&b->sees[o], u))
            vec_push(m, &v.must, u);
        else
            vec_push(m, &v.may, u);
    return v;
}

/* The results that each choice of the operations that it may see would give. */
static void note_choices(struct blame *b, const struct weak_view *v)
{
    for (uint32_t choice = 0; v->may.n <= CHOICE_MOST && choice < 1u << v->may.n; choice++) {
        struct set must = b->sees[v->by], not_seen = {0};
        struct weak_choice c = {.by = v->by};
        for (uint32_t i = 0; i < v->may.n; i++) {
            bool seen = choice >> i & 1;
            set_add(seen ? &must : &not_seen, v->may.at[i]);
            if (seen)
                c.seen[c.n++] = v->may.at[i];
        }
        note_answers(b, v->by, &must, &not_seen, &c.answers);
        vec_push(b->w->job->mem, &b->t->choices, c);
    }
}

/* All results, or none: a part of them would mislead. */
static void note_results(struct blame *b)
{
    struct set none = {0};
    begin_stage(b->w);
    if (b->t->alone && b->t->late == ID_NONE)
        note_answers(b, b->t->culprit, &b->sees[b->t->culprit], &none, &b->t->allowed);
    for (uint32_t k = 0; k < b->t->accused.n; k++) {
        struct weak_view v = view_of(b, b->t->accused.at[k]);
        vec_push(b->w->job->mem, &b->t->views, v);
        note_choices(b, &v);
    }
    if (weak_spent(b->w)) {
        vec_clear(&b->t->allowed.all);
        vec_clear(&b->t->choices);
    }
}

/* ---- several calls ---- */

static bool contradict(const struct blame *b, const uint32_t *ops, const struct set *must, uint32_t n)
{
    return n && weak_contradict(b->w, ops, must, n);
}

/* Leaves out the i-th suspect if the others contradict each other. */
static bool leave_out(struct blame *b, uint32_t i)
{
    uint32_t *ops = mem_new(b->w->job->mem, uint32_t, b->n + 1);
    struct set *must = mem_new(b->w->job->mem, struct set, b->n + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->n; k++)
        if (k != i) {
            ops[n] = b->suspects[k];
            must[n++] = b->must[k];
        }
    bool yes = contradict(b, ops, must, n);
    if (yes) {
        memcpy(b->suspects, ops, n * sizeof *ops);
        memcpy(b->must, must, n * sizeof *must);
        b->n = n;
    }
    mem_free(b->w->job->mem, ops);
    mem_free(b->w->job->mem, must);
    return yes;
}

static void reduce_sights(struct blame *b)
{
    for (uint32_t k = 0; k < b->n; k++) { /* most calls that it must see, it cannot tell apart */
        struct set all = b->must[k];
        struct set noticed = suspect_noticed(b->w, b->suspects[k]);
        set_meet(&b->must[k], &noticed);
        if (!contradict(b, b->suspects, b->must, b->n))
            b->must[k] = all;
    }
    for (uint32_t k = 0; k < b->n; k++) {
        struct set all = b->must[k];
        SET_EACH (u, &all) {
            set_drop(&b->must[k], u);
            if (!contradict(b, b->suspects, b->must, b->n))
                set_add(&b->must[k], u);
        }
    }
}

/* Takes these calls as suspects, if they contradict each other, and leaves out those that are not needed. The ones that
 * return last are left out last: the culprit is the last of those that stay. */
static bool blame_several(struct blame *b, const uint32_t *ops, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        b->suspects[i] = ops[n - 1 - i];
        b->must[i] = b->sees[b->suspects[i]];
    }
    b->n = n;
    if (!contradict(b, b->suspects, b->must, b->n))
        return false;
    for (uint32_t i = b->n; i-- > 0;)
        leave_out(b, i);
    conclude(b);
    bool irreducible = b->t->irreducible;
    reduce_sights(b);
    conclude(b);
    b->t->irreducible = irreducible;
    return true;
}

/* ---- the whole ---- */

static void set_up(struct blame *b)
{
    struct weak *w = b->w;
    struct mem *m = w->job->mem;
    weak_set_up(w);
    weak_set_up_visibility(w);
    b->sees = mem_new_zero(m, struct set, w->x.n + 1);
    b->must = mem_new_zero(m, struct set, w->x.n + 1);
    b->suspects = mem_new(m, uint32_t, w->x.n + 1);
}

void weak_blame(struct weak_task *t)
{
    struct weak w = {.job = t->job, .task = t, .by_return = t->by_return, .culprit = ID_NONE};
    struct blame b = {.w = &w, .t = t};
    uint32_t n;
    if (t->job->part->n > MOST_BLAMED)
        return;
    set_up(&b);
    t->late = ID_NONE;
    begin_stage(&w);
    uint32_t *ops = by_return(&w, &n), found = derive(&b, ops, n);
    if (found != ID_NONE) {
        b.suspects[b.n++] = found;
        b.must[0] = reduced(&b, found, b.sees[found], ID_NONE);
        conclude(&b);
        t->late = too_late(&b, found, &b.must[0]);
        t->sees_all = !t->sights.n && suspect_sees_all(&w, found);
    } else {
        begin_stage(&w);
        if (!blame_several(&b, ops, n))
            return;
    }
    note_results(&b);
}
