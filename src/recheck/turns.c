/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a register: can the calls explain when the register had it, and when it had another one?
 *
 * Only that is asked. So the register has two states: it has the value, or another one. A call that sees or sets the
 * value, or another one, is known to need, or to leave, one of the two. A compare-and-swap that did not see the value
 * needs the other one. All other calls say nothing. A linearization of the history is one of these calls.
 *
 * A search goes depth first through the orders of these calls, in real time alone, with a memo of (calls done, state).
 * A call that leaves the state as it needs it comes as soon as it can. Of calls that need and leave the same, and can
 * all come next, the one that returns first is tried. Another one may be exchanged with it. For a call that must come
 * behind the other one was called after its return, hence also after the return of this one. */
#include "recheck/cells.h"

#include "base/rows.h"

#include <stdlib.h>

enum { MOST_STEPS = 20000000, KINDS = 6 };
enum side { OTHER, OWN, OPEN };

struct turn { /* a call that says something */
    int64_t call, ret;
    enum side before, after; /* it needs this state, and leaves that one; OPEN: any, and as it was */
    bool pending;
    uint32_t next, previous; /* of the calls that are not done, by call: a ring through the last place */
};

struct frame { /* calls that are tried from the state after `trail` steps */
    uint32_t trail;
    uint32_t option[KINDS], n;
};

struct step {
    uint32_t i, reach;
    enum side state; /* before it */
};

struct turns {
    const struct object_view *v;
    struct mem *m;
    VEC(struct turn) all;
    uint32_t n;     /* the ring's own place is all.at[n] */
    uint32_t left;  /* completed calls that are not done */
    uint32_t reach; /* nothing from this place on is done */
    enum side state;
    struct rows memo;
    uint32_t *row;
    VEC(struct frame) frames;
    VEC(struct step) trail;
};

/* ---- reading ---- */

static enum side side_of(assay_value value, assay_value own)
{
    return value.kind == ASSAY_NONE ? OPEN : assay_value_same(value, own) ? OWN : OTHER;
}

static void read_turn(struct turns *t, uint32_t op, assay_value own, bool pending)
{
    const history *h = t->v->x->h;
    struct cell_access c = cell_call_of(t->v, op);
    struct turn turn = {.call = h->call[op],
                        .ret = pending ? INT64_MAX : h->ret[op],
                        .before = side_of(c.sees, own),
                        .after = side_of(c.sets, own),
                        .pending = pending};
    if (side_of(c.refuses, own) == OWN)
        turn.before = OTHER;
    if (turn.after == turn.before)
        turn.after = OPEN;
    if (turn.after == OPEN && (pending || turn.before == OPEN))
        return;
    vec_push(t->m, &t->all, turn);
    t->left += !pending;
}

static int by_call(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;
    return a->call < b->call ? -1 : a->call > b->call;
}

static void read_turns(struct turns *t, assay_value own)
{
    const history *h = t->v->x->h;
    uint32_t culprit = t->v->x->line->evidence.culprit;
    for (uint32_t op = 0; op < h->n; op++) {
        bool pending;
        budget_tick(t->v->x->budget);
        if (t->v->part[op] == t->v->part[culprit] && object_in_prefix(t->v, op, &pending))
            read_turn(t, op, own, pending);
    }
    t->n = t->all.n;
    if (t->n)
        qsort(t->all.at, t->n, sizeof *t->all.at, by_call);
    vec_push(t->m, &t->all, ((struct turn){0}));
    for (uint32_t i = 0; i <= t->n; i++) {
        t->all.at[i].next = i < t->n ? i + 1 : 0;
        t->all.at[i].previous = i ? i - 1 : t->n;
    }
    t->state = cell_is_initial(t->v, culprit, own) ? OWN : OTHER;
    t->row = mem_new(t->m, uint32_t, (size_t)t->n + 2);
}

/* ---- the search ---- */

static void take(struct turns *t, uint32_t i)
{
    struct turn *turn = &t->all.at[i];
    vec_push(t->m, &t->trail, ((struct step){i, t->reach, t->state}));
    t->all.at[turn->previous].next = turn->next;
    t->all.at[turn->next].previous = turn->previous;
    t->left -= !turn->pending;
    t->reach = t->reach > i ? t->reach : i + 1;
    t->state = turn->after == OPEN ? t->state : turn->after;
}

static void take_back(struct turns *t)
{
    struct step s = vec_pop(&t->trail);
    struct turn *turn = &t->all.at[s.i];
    t->all.at[turn->previous].next = s.i;
    t->all.at[turn->next].previous = s.i;
    t->left += !turn->pending;
    t->reach = s.reach;
    t->state = s.state;
}

static bool is_new(struct turns *t)
{
    size_t n = 0;
    t->row[n++] = t->state;
    t->row[n++] = t->reach;
    for (uint32_t i = t->all.at[t->n].next; i < t->reach; i = t->all.at[i].next)
        t->row[n++] = i;
    return rows_add(&t->memo, t->m, t->row, n * sizeof *t->row);
}

/* The first return of the calls that are not done. Calls are in the order of their calls. */
static int64_t first_return(const struct turns *t)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = t->all.at[t->n].next; i != t->n && t->all.at[i].call <= first; i = t->all.at[i].next)
        first = t->all.at[i].ret < first ? t->all.at[i].ret : first;
    return first;
}

static bool fits(const struct turns *t, const struct turn *turn)
{
    bool idle = turn->pending && turn->after == t->state;
    return !idle && (turn->before == OPEN || turn->before == t->state);
}

/* The calls that are tried next, the one that returns first last. */
static void push_frame(struct turns *t)
{
    struct frame f = {.trail = t->trail.n};
    uint32_t best[KINDS];
    int64_t first = first_return(t);
    for (uint32_t k = 0; k < KINDS; k++)
        best[k] = ID_NONE;
    for (uint32_t i = t->all.at[t->n].next; i != t->n; i = t->all.at[i].next) {
        const struct turn *turn = &t->all.at[i];
        if (object_surely_earlier(t->v, first, turn->call))
            break;
        if (!fits(t, turn))
            continue;
        if (turn->after == OPEN) {
            f.option[0] = i;
            f.n = 1;
            vec_push(t->m, &t->frames, f);
            return;
        }
        uint32_t *other = &best[2 * turn->before + turn->after];
        if (*other == ID_NONE || turn->ret < t->all.at[*other].ret)
            *other = i;
    }
    for (uint32_t k = 0; k < KINDS; k++) {
        uint32_t at = f.n;
        if (best[k] == ID_NONE)
            continue;
        for (; at && t->all.at[f.option[at - 1]].ret < t->all.at[best[k]].ret; at--)
            f.option[at] = f.option[at - 1];
        f.option[at] = best[k];
        f.n++;
    }
    vec_push(t->m, &t->frames, f);
}

/* Is there no order? False: there is one, or the search takes too long. */
static bool has_none(struct turns *t)
{
    uint32_t steps = 0;
    push_frame(t);
    while (t->left && t->frames.n) {
        struct frame *f = &vec_last(&t->frames);
        budget_tick(t->v->x->budget);
        while (t->trail.n > f->trail)
            take_back(t);
        if (!f->n) {
            t->frames.n--;
            continue;
        }
        if (++steps > MOST_STEPS)
            return false;
        take(t, f->option[--f->n]);
        if (is_new(t))
            push_frame(t);
    }
    return t->left > 0;
}

static bool contradicts(const struct object_view *v, assay_value own)
{
    struct turns t = {.v = v, .m = v->x->mem};
    if (own.kind == ASSAY_NONE)
        return false;
    read_turns(&t, own);
    return has_none(&t);
}

bool object_turns_contradict(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    const history *h = v->x->h;
    if (ev->whole || ev->pattern != PATTERN_ValueUnexplained || !ev->kept.n || !h->call || !v->real_time)
        return false;
    uint32_t named = ev->kept.at[0];
    if (named >= h->n || v->part[named] != v->part[ev->culprit] || !cell_is(&v->parts.at[v->part[named]]))
        return false;
    struct cell_access c = cell_call_of(v, named);
    return contradicts(v, c.refuses) || contradicts(v, c.sees) || contradicts(v, c.sets);
}
