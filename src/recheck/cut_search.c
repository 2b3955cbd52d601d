/* SPDX-License-Identifier: Apache-2.0 */
/* The search of recheck: is there a linearization of this cut? The search goes depth first, an operation at a time. It
 * tries every operation whose predecessors in happens-before are done, with a memo of (operations done, state) and no
 * other idea. So simple code confirms the claims of engines with elaborate arguments.
 *
 * The memo keeps contents and compares them: no verdict of recheck rests on a digest. Each state has a number
 * (states.h). The numbers of several parts are the leaves of a binary tree, in which a node has the number of the pair
 * below it. So a step changes one path of numbers, and the root's number stands for all states. */
#include "recheck/object.h"
#include "recheck/retrace.h"

#include "base/rows.h"
#include "spec/states.h"

#include <stdlib.h>

struct attempt {
    uint32_t i;
    unsigned choice;
};

struct frame { /* tries from `at` on are still to be made in the state after `trail` steps */
    uint32_t at, trail;
};

struct done {
    uint32_t i;
    uint32_t reach, number; /* before it: see struct plain; of its part's state */
    bool changed;
    assay_saved saved;
};

struct member { /* a part of the cut, and its state */
    const assay_spec *spec;
    struct retrace at;
    struct states seen;
};

struct plain {
    const struct object_view *v;
    const struct object_cut *cut;
    struct mem *m;
    struct member *member;
    uint32_t *tree, width;   /* numbers of states: the leaves from width on, the root at 1 */
    struct idmap pairs;      /* two numbers -> the number of the pair */
    uint32_t *next, *before; /* those not done, by call; a ring through cut->n */
    uint32_t *place;         /* in the order by call */
    uint32_t reach;          /* nothing from this place on is done */
    uint32_t left;           /* completed ones that are not done */
    struct rows memo;
    uint32_t *row;
    VEC(struct attempt) tries;
    VEC(struct frame) frames;
    VEC(struct done) trail;
    uint32_t steps;
};

struct called {
    int64_t call;
    uint32_t op, i;
};

static int by_call(const void *left, const void *right)
{
    const struct called *a = left, *b = right;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

static struct member *member_of(const struct plain *p, uint32_t i)
{
    return &p->member[p->cut->part[i]];
}

/* Notes the number of a part's state. */
static void note_number(struct plain *p, uint32_t part, uint32_t number)
{
    uint32_t at = p->width + part;
    p->tree[at] = number;
    while (at /= 2) {
        uint64_t pair = (uint64_t)p->tree[(size_t)2 * at] << 32 | p->tree[(size_t)2 * at + 1];
        uint32_t *known = idmap_at(p->m, &p->pairs, pair);
        if (*known == ID_NONE)
            *known = p->pairs.n - 1;
        p->tree[at] = *known;
    }
}

static void note_state(struct plain *p, uint32_t part)
{
    struct member *member = &p->member[part];
    note_number(p, part, states_number(&member->seen, retrace_state(&member->at)));
}

static void create_states(struct plain *p)
{
    const struct object_cut *cut = p->cut;
    p->member = mem_new_zero(p->m, struct member, cut->part_n);
    for (p->width = 1; p->width < cut->part_n;)
        p->width *= 2;
    p->tree = mem_new_zero(p->m, uint32_t, 2 * (size_t)p->width);
    for (uint32_t i = 0; i < cut->part_n; i++) {
        const struct object_part *part = &cut->parts[i];
        const assay_setting setting = cut->part_n == 1 ? cut->setting : object_part_setting(part);
        p->member[i].spec = part->use->spec;
        p->member[i].seen = states_in(p->m, part->use->spec);
        retrace_begin(&p->member[i].at, part->use->spec, &setting, value_public(p->v->x->h, part->key), p->m);
        p->member[i].at.made = &p->steps;
        note_state(p, i);
    }
}

static void set_up(struct plain *p)
{
    const struct object_cut *cut = p->cut;
    const history *h = p->v->x->h;
    struct called *order = mem_new(p->m, struct called, cut->n + 1);
    for (uint32_t i = 0; i < cut->n; i++)
        order[i] = (struct called){h->call ? h->call[cut->ops[i]] : 0, cut->ops[i], i};
    qsort(order, cut->n, sizeof *order, by_call);
    p->next = mem_new(p->m, uint32_t, cut->n + 1);
    p->before = mem_new(p->m, uint32_t, cut->n + 1);
    p->place = mem_new(p->m, uint32_t, cut->n + 1);
    p->row = mem_new(p->m, uint32_t, (size_t)cut->n + 2);
    uint32_t last = cut->n;
    for (uint32_t j = 0; j < cut->n; j++) {
        p->next[last] = order[j].i;
        p->before[order[j].i] = last;
        last = order[j].i;
        p->place[last] = j;
        p->left += !cut->pending[last];
    }
    p->next[last] = cut->n;
    p->before[cut->n] = last;
    mem_free(p->m, order);
    create_states(p);
}

/* Whether something not done happens before i. Only operations called earlier can, when there are times; those come
 * earlier in the ring. */
static bool waits(const struct plain *p, uint32_t i)
{
    bool timed = p->v->real_time && p->v->x->h->call;
    for (uint32_t j = p->next[p->cut->n]; j != p->cut->n && !(timed && j == i); j = p->next[j])
        if (j != i && object_before(p->v, p->cut->ops[j], p->cut->ops[i]))
            return true;
    return false;
}

/* All that may come next. Once an operation is met that was called after the return of one not done, all further ones
 * were, too. */
static void push_tries(struct plain *p)
{
    const history *h = p->v->x->h;
    bool timed = p->v->real_time && h->call;
    uint32_t first = ID_NONE; /* the operation whose return comes first so far */
    for (uint32_t i = p->next[p->cut->n]; i != p->cut->n; i = p->next[i]) {
        uint32_t op = p->cut->ops[i];
        if (timed && first != ID_NONE && h->thread[first] != h->thread[op] && object_before(p->v, first, op))
            break;
        if (!p->cut->pending[i] && timed && (first == ID_NONE || h->ret[op] < h->ret[first]))
            first = op;
        if (waits(p, i))
            continue;
        struct member *own = member_of(p, i);
        unsigned choices = hook_choices(own->spec, retrace_state(&own->at), &p->cut->calls[i]);
        for (unsigned choice = choices; choice-- > 0;) {
            struct attempt t = {i, choice};
            vec_push(p->m, &p->tries, t);
        }
    }
}

/* Adds the operations done and the states to the memo; false: it was there. The row: the states, the reach, and
 * whichever operations below it are not done. */
static bool is_new(struct plain *p)
{
    size_t n = 0;
    p->row[n++] = p->tree[1];
    p->row[n++] = p->reach;
    for (uint32_t i = p->next[p->cut->n]; i != p->cut->n && p->place[i] < p->reach; i = p->next[i])
        p->row[n++] = p->place[i];
    return rows_add(&p->memo, p->m, p->row, n * sizeof *p->row);
}

static void take(struct plain *p, uint32_t i, bool changed, const assay_saved *saved)
{
    uint32_t part = p->cut->part[i];
    vec_push(p->m, &p->trail, ((struct done){i, p->reach, p->tree[p->width + part], changed, *saved}));
    p->next[p->before[i]] = p->next[i];
    p->before[p->next[i]] = p->before[i];
    p->left -= !p->cut->pending[i];
    if (p->reach <= p->place[i])
        p->reach = p->place[i] + 1;
    if (changed)
        note_state(p, part);
}

static void take_back(struct plain *p)
{
    struct done d = vec_pop(&p->trail);
    p->next[p->before[d.i]] = d.i;
    p->before[p->next[d.i]] = d.i;
    p->left += !p->cut->pending[d.i];
    p->reach = d.reach;
    if (!d.changed)
        return;
    retrace_back(&member_of(p, d.i)->at, &p->cut->calls[d.i], &d.saved);
    note_number(p, p->cut->part[d.i], d.number);
}

/* Makes the step if the result is the recorded one and the state is new. */
static bool make(struct plain *p, struct attempt t)
{
    struct retrace *at = &member_of(p, t.i)->at;
    const assay_call *call = &p->cut->calls[t.i];
    assay_value answer = {0};
    assay_saved saved;
    assay_effect effect = retrace_step(at, call, t.choice, &answer, &saved);
    p->steps++;
    if (effect == ASSAY_BLOCKED)
        return false;
    if (call->result.kind != ASSAY_NONE && !assay_value_same(answer, call->result)) {
        if (effect == ASSAY_CHANGED)
            retrace_back(at, call, &saved);
        return false;
    }
    take(p, t.i, effect == ASSAY_CHANGED, &saved);
    if (is_new(p))
        return true;
    take_back(p);
    return false;
}

int object_search(const struct object_view *v, const struct object_cut *cut)
{
    struct plain p = {.v = v, .cut = cut, .m = v->x->mem};
    size_t before = p.m->used;
    set_up(&p);
    struct frame start = {0, 0};
    vec_push(p.m, &p.frames, start);
    push_tries(&p);
    while (p.left && p.frames.n) {
        struct frame *f = &vec_last(&p.frames);
        while (p.trail.n > f->trail)
            take_back(&p);
        budget_tick(v->x->budget);
        if (p.steps > at_most(v->x, LIMIT_SEARCH_STEPS))
            return gives_up(v->x, LIMIT_SEARCH_STEPS);
        if (p.m->used > before + at_most(v->x, LIMIT_SEARCH_BYTES))
            return gives_up(v->x, LIMIT_SEARCH_BYTES);
        if (p.tries.n == f->at) {
            p.frames.n--;
            continue;
        }
        if (make(&p, vec_pop(&p.tries))) {
            struct frame deeper = {p.tries.n, p.trail.n};
            vec_push(p.m, &p.frames, deeper);
            push_tries(&p);
        }
    }
    return p.left == 0;
}

/* ---- exchangers ---- */

static bool may_swap(const struct object_view *v, const struct object_cut *cut, uint32_t i, uint32_t j)
{
    const assay_call *a = &cut->calls[i], *b = &cut->calls[j];
    bool fits = (cut->pending[i] || assay_value_same(a->result, b->args[0])) &&
                (cut->pending[j] || assay_value_same(b->result, a->args[0]));
    return fits && !object_before(v, cut->ops[i], cut->ops[j]) && !object_before(v, cut->ops[j], cut->ops[i]);
}

/* Can the pairs be put into an order that extends happens-before? With intervals in time always, since each pair has
 * a moment in common; else pairs may cross. As object_match. */
static int object_in_order(const struct object_view *v, const struct object_cut *cut, const uint32_t *partner,
                           uint32_t *steps)
{
    bool *placed = mem_new_zero(v->x->mem, bool, cut->n + 1);
    uint32_t left = 0;
    for (uint32_t i = 0; i < cut->n; i++) {
        placed[i] = partner[i] == ID_NONE;
        left += !placed[i];
    }
    for (uint32_t before = left + 1; left && left < before;) {
        before = left;
        for (uint32_t i = 0; i < cut->n; i++) {
            uint32_t j = placed[i] ? i : partner[i];
            bool next = !placed[i];
            for (uint32_t k = 0; k < cut->n && next; k++) {
                budget_tick(v->x->budget);
                if (++*steps > at_most(v->x, LIMIT_SEARCH_STEPS))
                    return gives_up(v->x, LIMIT_SEARCH_STEPS);
                next = placed[k] ||
                       (!object_before(v, cut->ops[k], cut->ops[i]) && !object_before(v, cut->ops[k], cut->ops[j]));
            }
            if (next) {
                left -= i == j ? 1 : 2;
                placed[i] = placed[j] = true;
            }
        }
    }
    mem_free(v->x->mem, placed);
    return left == 0;
}

/* Partners for all that returned a value, tried one after the other; the culprit first, which mostly has none. */
int object_match(const struct object_view *v, const struct object_cut *cut)
{
    struct mem *m = v->x->mem;
    uint32_t *partner = mem_new(m, uint32_t, cut->n + 1), *order = mem_new(m, uint32_t, cut->n + 1), n = 0, steps = 0;
    for (uint32_t i = 0; i < cut->n; i++) {
        bool alone = assay_value_same(cut->calls[i].result, assay_word("null"));
        partner[i] = alone ? i : ID_NONE; /* its own: it has no partner */
        if (alone || cut->pending[i])
            continue;
        order[n++] = i;
        if (cut->ops[i] == v->x->line->evidence.culprit) {
            order[n - 1] = order[0];
            order[0] = i;
        }
    }
    uint32_t *next = mem_new_zero(m, uint32_t, n + 1); /* the partner to be tried next for order[at] */
    bool *chose = mem_new_zero(m, bool, n + 1);
    for (uint32_t at = 0;;) {
        int in_order = at == n ? object_in_order(v, cut, partner, &steps) : 0;
        budget_tick(v->x->budget);
        if (in_order)
            return in_order;
        if (++steps > at_most(v->x, LIMIT_SEARCH_STEPS))
            return gives_up(v->x, LIMIT_SEARCH_STEPS);
        uint32_t i = at < n ? order[at] : ID_NONE, j = at < n ? next[at] : cut->n;
        if (at < n && partner[i] != ID_NONE) { /* it has a partner already */
            next[++at] = 0;
            chose[at] = false;
            continue;
        }
        while (j < cut->n && (j == i || partner[j] != ID_NONE || !may_swap(v, cut, i, j)))
            j++;
        if (j < cut->n) {
            partner[i] = j;
            partner[j] = i;
            chose[at] = true;
            next[at++] = j + 1;
            next[at] = 0;
            chose[at] = false;
            continue;
        }
        do { /* back to the latest choice, and undo it */
            if (!at)
                return 0;
            at--;
        } while (!chose[at]);
        partner[partner[order[at]]] = ID_NONE;
        partner[order[at]] = ID_NONE;
        chose[at] = false;
    }
}
