/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `exchanger`: exchange(v) => w, or null if no partner came. An exchanger has no sequential states: two
 * operations take part in an exchange together. With intervals in time, a history is right iff the operations that
 * succeeded can be paired off. In a pair, neither operation happens before the other, and each got the value that the
 * other gave. A pending operation may be the partner of an operation that succeeded. Its result is unknown: it is the
 * value that the partner gave. Null says that there was no partner, so an operation that gave null has none.
 *
 * Possible partners. Let x have given a and got b: it is of class (a, b). Its partner overlaps x. The partner is of
 * class (b, a), or it is pending and gave b. If no value is given twice, there is no choice.
 *
 * Intervals. Operations are visited by their returns. Let x be the operation visited. If x has no partner yet, it takes
 * the open operation d of class (b, a) that returns first. If there is no d, x takes a pending operation that gave b
 * and has been called. If there is none either, x has no partner in any pairing.
 *
 * Proof. Let M be a pairing of all operations that succeeded. Let M agree with the pairs made so far, and let x have
 * another partner in M. Every operation that is not paired yet returns after x does. Partners of x were called before x
 * returned. So they overlap every operation that is not paired and has been called.
 * - x takes d. Let M pair x with y, and d with z. Then y and z can be paired instead, or left out if both are pending.
 *   As far as it is known, y gave and got the same values as d, and z the same values as x. y was called before x
 *   returned, so before z returns. z was called before d returned, so before y returns.
 * - x takes a pending p, because no d is open. Then M pairs x with a pending y. Let M pair p with z. Then z can be
 *   paired with y, since p and y gave the same value. And y had been called when z returned, since z returns later than
 *   x.
 *
 * Witness. Each pair stands where the later of its two operations was called. Every other operation stands where it was
 * called. This order extends happens-before and has partners next to each other.
 *
 * Other orders (equal times, knowledge). There, pairs that overlap can cross. The pairs x1, y1 and x2, y2 cross if x1
 * happens before x2 and y2 before y1. Two such exchanges cannot both have taken place. So the question is: does some
 * order extend happens-before and have partners next to each other? A search finds it as wgl does, but linearizes two
 * operations at a time. There are no states, so the memo has only the set of linearized operations. */
#include "base/heap.h"
#include "base/radix.h"
#include "history/value_ids.h"
#include "search/linear.h"
#include "search/plain_part.h"
#include "spec/roles.h"

enum { PENDING_KEY = UINT32_MAX - 1 }; /* stands for the unknown result of a pending operation */

struct exchange {
    struct job *job;
    const struct part *part;
    uint32_t n;
    uint32_t *gave, *got; /* numbers of values; got PENDING_KEY: pending; ID_NONE: nothing, so it needs no partner */
    uint32_t null;        /* the number of null */
    uint32_t *class_of;   /* by (gave, got) if it succeeded, by (gave, PENDING_KEY) if it is pending, else ID_NONE */
    struct idmap classes;
    uint32_t class_n;
    struct groups members; /* of classes: places in the part */
    uint32_t *partner;
};

static uint32_t class_find(const struct exchange *x, uint32_t gave, uint32_t got)
{
    return idmap_get(&x->classes, (uint64_t)gave << 32 | got);
}

static bool succeeded(const struct exchange *x, uint32_t i)
{
    return x->got[i] != ID_NONE && x->got[i] != PENDING_KEY;
}

/* The class of possible partners of i, an operation that succeeded; ID_NONE: there are none. `opposite` has the
 * partners that succeeded, `opposite_pending` the pending ones. */
static uint32_t opposite(const struct exchange *x, uint32_t i)
{
    return x->gave[i] == x->null ? ID_NONE : class_find(x, x->got[i], x->gave[i]);
}

static uint32_t opposite_pending(const struct exchange *x, uint32_t i)
{
    return x->gave[i] == x->null ? ID_NONE : class_find(x, x->got[i], PENDING_KEY);
}

static void classify(struct exchange *x)
{
    const history *h = x->job->h;
    struct mem *m = x->job->mem;
    struct value_ids ids = {0};
    struct value null = {names_find(&h->names, "null", 4), ASSAY_WORD};
    x->null = value_id(m, &ids, null);
    x->gave = mem_new(m, uint32_t, x->n);
    x->got = mem_new(m, uint32_t, x->n);
    x->class_of = mem_new(m, uint32_t, x->n);
    x->partner = mem_new(m, uint32_t, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t op = x->part->ops[i];
        struct value answer = history_result(h, op);
        x->partner[i] = x->class_of[i] = ID_NONE;
        x->gave[i] = value_id(m, &ids, history_arg(h, op, 0));
        x->got[i] = history_pending(h, op)     ? PENDING_KEY
                    : value_same(answer, null) ? ID_NONE
                                               : value_id(m, &ids, answer);
        if (x->got[i] == ID_NONE)
            continue;
        uint32_t *class = idmap_at(m, &x->classes, (uint64_t)x->gave[i] << 32 | x->got[i]);
        if (*class == ID_NONE)
            *class = x->class_n++;
        x->class_of[i] = *class;
    }
    x->members = group_by(x->class_of, x->n, x->class_n, m);
}

static void pair(struct exchange *x, uint32_t i, uint32_t j)
{
    x->partner[i] = j;
    x->partner[j] = i;
}

/* ---- intervals ---- */

struct line {
    struct exchange *x;
    uint64_t *open; /* for each class a heap of (return, place), at the same index as its members */
    uint32_t *open_n;
};

static uint32_t take_first(struct line *l, uint32_t class)
{
    return (uint32_t)heap_take(l->open + l->x->members.at[class], l->open_n[class]--);
}

/* Returns the first operation that cannot be paired, or ID_NONE. */
static uint32_t pair_intervals(struct exchange *x)
{
    struct mem *m = x->job->mem;
    const struct calls *c = x->job->calls;
    struct line l = {x, mem_new(m, uint64_t, x->n), mem_new_zero(m, uint32_t, x->class_n + 1)};
    uint64_t *due = mem_new(m, uint64_t, x->n);
    uint32_t due_n = 0, called = 0;
    for (uint32_t i = 0; i < x->n; i++)
        if (succeeded(x, i))
            due[due_n++] = (uint64_t)c->ret[x->part->ops[i]] << 32 | i;
    radix_sort(due, due_n, m);
    for (uint32_t k = 0; k < due_n; k++) {
        uint32_t i = (uint32_t)due[k];
        budget_tick(x->job->budget);
        for (; called < x->n && c->call[x->part->ops[called]] < due[k] >> 32; called++) {
            uint32_t class = x->class_of[called];
            if (class != ID_NONE)
                heap_put(l.open + x->members.at[class], l.open_n[class]++,
                         (uint64_t)c->ret[x->part->ops[called]] << 32 | called);
        }
        if (x->partner[i] != ID_NONE)
            continue;
        take_first(&l, x->class_of[i]); /* i itself: the others of its class that returned before i have partners */
        uint32_t class = opposite(x, i);
        if (class == ID_NONE || !l.open_n[class])
            class = opposite_pending(x, i);
        if (class == ID_NONE || !l.open_n[class])
            return i;
        pair(x, i, take_first(&l, class));
    }
    return ID_NONE;
}

static void place_intervals(const struct exchange *x)
{
    struct evidence *ev = &x->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t j = x->partner[i];
        if (j == ID_NONE ? x->got[i] == PENDING_KEY : j > i) /* left out, or placed with j */
            continue;
        if (j != ID_NONE)
            evidence_place(ev, x->part->ops[j]);
        evidence_place(ev, x->part->ops[i]);
    }
}

/* ---- other orders ---- */

struct meeting {
    uint32_t i, j;
};

struct node { /* a set of linearized operations, and the meetings that are possible after it */
    uint32_t trail, options_at, next;
};

struct search {
    const struct exchange *x;
    struct linear l;
    struct memo memo;
    VEC(uint32_t) trail; /* the linearized operations, partners one after the other */
    VEC(struct node) nodes;
    VEC(struct meeting) options; /* of all nodes, the latest last */
    uint32_t furthest, stuck;    /* the longest trail, and the operation that returns first after it */
};

static void linearize(struct search *s, uint32_t i)
{
    linear_mark(&s->l, i);
    vec_push(s->x->job->mem, &s->trail, i);
}

/* Linearizes operations without a partner as soon as possible: no other operation depends on their place. */
static void linearize_lonely(struct search *s)
{
    for (bool again = true; again;) {
        again = false;
        uint32_t first = linear_first_return(&s->l);
        for (uint32_t lane = 0; lane < s->l.lanes; lane++) {
            uint32_t i = linear_head(&s->l, lane);
            if (i == ID_NONE || s->x->got[i] != ID_NONE || !linear_ready(&s->l, i, first))
                continue;
            linearize(s, i);
            again = true;
        }
    }
}

static bool fit(const struct exchange *x, uint32_t i, uint32_t j)
{
    return x->got[i] == x->gave[j] && x->gave[i] != x->null && (x->got[j] == PENDING_KEY || x->got[j] == x->gave[i]);
}

static void list_meetings(struct search *s, uint32_t first)
{
    const struct exchange *x = s->x;
    const struct linear *l = &s->l;
    struct mem *m = x->job->mem;
    for (uint32_t lane = 0; lane < l->lanes; lane++) {
        uint32_t i = linear_head(l, lane);
        if (i == ID_NONE || !linear_ready(l, i, first))
            continue;
        for (uint32_t other = lane + 1; other < l->lanes; other++) {
            uint32_t j = linear_head(l, other);
            budget_tick(x->job->budget);
            if (j != ID_NONE && fit(x, i, j) && linear_ready(l, j, first))
                vec_push(m, &s->options, ((struct meeting){i, j}));
        }
        for (uint32_t k = 0; k < l->maybe_n; k++) {
            uint32_t j = l->maybe[k];
            budget_tick(x->job->budget);
            if (!l->done[j] && fit(x, i, j) && linear_ready(l, j, first))
                vec_push(m, &s->options, ((struct meeting){i, j}));
        }
    }
}

/* Takes the next meeting of the latest node that has one. False: there is none. */
static bool go_on(struct search *s)
{
    while (s->nodes.n) {
        struct node *node = &vec_last(&s->nodes);
        while (s->trail.n > node->trail)
            linear_unmark(&s->l, vec_pop(&s->trail));
        if (node->next < s->options.n) {
            struct meeting next = s->options.at[node->next++];
            linearize(s, next.i);
            linearize(s, next.j);
            return true;
        }
        s->options.n = node->options_at;
        s->nodes.n--;
    }
    return false;
}

/* Returns the operation that cannot be linearized where the search got furthest. ID_NONE: all operations are
 * linearized. */
static uint32_t search(struct search *s)
{
    struct mem *m = s->x->job->mem;
    linear_init(&s->l, s->x->job);
    do {
        linearize_lonely(s);
        uint32_t first = linear_first_return(&s->l);
        if (first == ID_NONE)
            return ID_NONE;
        if (s->trail.n >= s->furthest) {
            s->furthest = s->trail.n;
            s->stuck = first;
        }
        struct node node = {s->trail.n, s->options.n, s->options.n};
        if (memo_add(&s->memo, m, s->l.set))
            list_meetings(s, first);
        vec_push(m, &s->nodes, node);
    } while (go_on(s));
    return s->stuck;
}

static void place_found(const struct search *s)
{
    struct evidence *ev = &s->x->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < s->trail.n; i++)
        evidence_place(ev, s->x->part->ops[s->trail.at[i]]);
}

static void run(struct job *job)
{
    struct exchange x = {.job = job, .part = job->part, .n = job->part->n};
    struct search s = {.x = &x};
    bool intervals = job->calls->order == CALLS_INTERVALS;
    classify(&x);
    uint32_t lonely = intervals ? pair_intervals(&x) : search(&s);
    if (lonely != ID_NONE) {
        job->out->verdict = ASSAY_VIOLATION;
        evidence_part(&job->out->evidence, PATTERN_NoPartner, job->part->ops[lonely], false);
    } else if (job->witness && intervals) {
        place_intervals(&x);
    } else if (job->witness) {
        place_found(&s);
    }
}

static const char *declines(const struct job *job)
{
    return plain_is(job, "exchanger") ? NULL : "the object is not an exchanger";
}

const struct engine engine_exchanger = {
    .name = "exchanger",
    .title = "exchangers: pairing off",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
