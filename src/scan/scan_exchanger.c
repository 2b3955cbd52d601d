/* SPDX-License-Identifier: Apache-2.0 */
/* Exchangers: exchange(v) => w, or null if no partner came. One scan serves the engine `exchanger` and the online
 * checker `exact-exchanger`. An exchanger has no sequential states: two operations take part in an exchange together.
 * With intervals in time, a history is right iff the operations that succeeded can be paired off. In a pair, neither
 * operation happens before the other, and each got the value that the other gave. A pending operation may be the
 * partner of an operation that succeeded. Its result is unknown: it is the value that the partner gave. Null says that
 * there was no partner, so an operation that gave null has none.
 *
 * Possible partners. Let x have given a and got b. Its partner overlaps x. The partner gave b and got a, or it is
 * pending and gave b. If no value is given twice, there is no choice.
 *
 * Intervals. Operations are visited by their returns. Let x be the operation visited. If x has no partner yet, it takes
 * the open operation d that gave b, got a and returns first. If there is no d, x takes a pending operation that gave b
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
 * Witness. Each pair is placed when x returns, every other operation when it returns itself. If a returned before b was
 * called, a has been placed then, and neither b nor its partner, which overlaps b, has returned. So this order extends
 * happens-before, and has partners next to each other.
 *
 * Forgetting. Only operations without a partner that have not returned are kept, in lists by what they gave. There are
 * at most as many as threads, so the lists are short.
 *
 * Other orders (equal times, knowledge). There, pairs that overlap can cross. The pairs x1, y1 and x2, y2 cross if x1
 * happens before x2 and y2 before y1. Two such exchanges cannot both have taken place. So the question is: does some
 * order extend happens-before and have partners next to each other? A search finds it as wgl does, but linearizes two
 * operations at a time. There are no states, so the memo has only the set of linearized operations. */
#include "base/hash.h"
#include "base/image.h"
#include "scan/fault.h"
#include "scan/part_events.h"
#include "search/linear.h"
#include "search/plain_part.h"
#include "spec/roles.h"

#include <string.h>

enum { LISTS = 64 };

struct waiting { /* called == 0: free */
    struct online_op op;
    uint32_t next; /* in its list, or ID_NONE */
};

struct exchange {
    struct mem *mem;
    VEC(struct waiting) open; /* operations without a partner that succeeded or never return, at their marks */
    VEC(uint32_t) free;       /* marks */
    uint32_t first[LISTS];    /* the operations in `open`, by what they gave */
    struct online_op wrong;
    /* Told the operations in the order of a linearization, if there is one; NULL: nobody wants a witness. */
    void (*place)(void *driver, const struct online_op *op);
    void *driver;
};

static bool gave_null(const struct online_op *op)
{
    return online_is(op->arg, ONLINE_NULL);
}

static bool got_null(const struct online_op *op)
{
    return op->returned != ONLINE_NEVER && online_is(op->result, ONLINE_NULL);
}

/* Can y be the partner of x, which succeeded? */
static bool fits(const struct online_op *x, const struct online_op *y)
{
    bool unknown = y->returned == ONLINE_NEVER;
    return value_same(x->result, y->arg) && (unknown || value_same(x->arg, y->result)) && !gave_null(x);
}

static void place_pair(struct exchange *x, const struct online_op *a, const struct online_op *b)
{
    if (!x->place)
        return;
    bool a_first = a->called < b->called;
    x->place(x->driver, a_first ? a : b);
    x->place(x->driver, a_first ? b : a);
}

static uint32_t *list_of(struct exchange *x, struct value gave)
{
    return &x->first[hash_mix((uint64_t)gave.bits) % LISTS];
}

static bool call(void *state, struct scan_op *o)
{
    struct exchange *x = state;
    if (gave_null(&o->op) || got_null(&o->op))
        return true;
    uint32_t *list = list_of(x, o->op.arg);
    o->mark = x->open.n;
    if (x->free.n)
        o->mark = vec_pop(&x->free);
    else
        vec_push(x->mem, &x->open, (struct waiting){.next = 0});
    x->open.at[o->mark] = (struct waiting){o->op, *list};
    *list = o->mark;
    return true;
}

/* The operation with this mark has a partner. */
static void leave(struct exchange *x, uint32_t mark)
{
    struct waiting *w = &x->open.at[mark];
    uint32_t *at = list_of(x, w->op.arg);
    while (*at != mark)
        at = &x->open.at[*at].next;
    *at = w->next;
    *w = (struct waiting){.next = ID_NONE};
    vec_push(x->mem, &x->free, mark);
}

/* Takes a partner for an operation that succeeded; those that never return come last. */
static bool take_partner(struct exchange *x, const struct online_op *op)
{
    uint32_t partner = ID_NONE;
    for (uint32_t i = *list_of(x, op->result); i != ID_NONE; i = x->open.at[i].next)
        if (fits(op, &x->open.at[i].op) &&
            (partner == ID_NONE || x->open.at[i].op.returned < x->open.at[partner].op.returned))
            partner = i;
    if (partner == ID_NONE)
        return false;
    place_pair(x, op, &x->open.at[partner].op);
    leave(x, partner);
    return true;
}

static bool ret(void *state, struct scan_op *o)
{
    struct exchange *x = state;
    if (o->op.returned == ONLINE_NEVER)
        return true;
    if (got_null(&o->op)) {
        if (x->place)
            x->place(x->driver, &o->op);
        return true;
    }
    x->wrong = o->op;
    if (gave_null(&o->op))
        return false;
    if (x->open.at[o->mark].op.called != o->op.called)
        return true; /* another operation has taken it as a partner */
    leave(x, o->mark);
    return take_partner(x, &o->op);
}

static void *open(const struct online_setup *s)
{
    struct exchange *x = mem_new_zero(s->mem, struct exchange, 1);
    x->mem = s->mem;
    memset(x->first, 0xff, sizeof x->first);
    return x;
}

/* ---- live histories ---- */

static void close(void *state)
{
    struct exchange *x = state;
    vec_free(x->mem, &x->open);
    vec_free(x->mem, &x->free);
    mem_free(x->mem, x);
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct exchange *x = state;
    unsigned op = fault_op(out, m, &x->wrong);
    out->step = x->wrong.returned;
    out->pattern = "NoPartner";
    text_printf(&out->why, "{%u} needs a partner that overlapped it, gave what it got, and got what it gave\n", op);
    for (uint32_t i = 0; i < x->open.n; i++)
        if (value_same(x->open.at[i].op.arg, x->wrong.result))
            text_printf(&out->why, "{%u} gave what it got, but got something else\n",
                        fault_op(out, m, &x->open.at[i].op));
    text_printf(&out->why, "there is none that has no other partner, so {%u} could not return this\n", op);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct exchange *x = state;
    for (uint32_t i = 0; i < x->open.n; i++) {
        visit(arg, x->open.at[i].op.arg);
        visit(arg, x->open.at[i].op.result);
    }
    visit(arg, x->wrong.arg);
    visit(arg, x->wrong.result);
}

static uint64_t live(const void *state)
{
    (void)state;
    return 0; /* all operations that it keeps are open */
}

static void image(void *state, struct image *image)
{
    struct exchange *x = state;
    image_vec(image, x->mem, &x->open);
    image_vec(image, x->mem, &x->free);
    image_plain(image, &x->first);
}

static const struct scan scan = {
    .object = &spec_exchanger,
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .pending = scan_yes,
    .explain = explain,
    .each_value = each_value,
    .live = live,
    .image = image,
};

HOLDBACK_MEMBER(exact_exchanger, "exact-exchanger", "exchangers: pairing off", scan);

/* ---- recorded histories ---- */

struct linearization {
    struct part_events *events;
    VEC(uint32_t) ops;
};

static void note(void *driver, const struct online_op *op)
{
    struct linearization *l = driver;
    vec_push(l->events->job->mem, &l->ops, part_events_at(l->events, op->called));
}

/* Returns the first operation that cannot be paired, or ID_NONE. */
static uint32_t pair_intervals(struct linearization *l)
{
    struct job *job = l->events->job;
    struct exchange *x = open(&(struct online_setup){.mem = job->mem});
    if (job->witness)
        x->place = note;
    x->driver = l;
    return part_events_feed(l->events, call, ret, x);
}

/* ---- other orders ---- */

struct meeting {
    uint32_t i, j;
};

struct node { /* a set of linearized operations, and the meetings that are possible after it */
    uint32_t trail, options_at, next;
};

struct search {
    struct job *job;
    struct online_op *op; /* by place in the part */
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
    vec_push(s->job->mem, &s->trail, i);
}

/* Linearizes operations without a partner as soon as possible: no other operation depends on their place. */
static void linearize_lonely(struct search *s)
{
    for (bool again = true; again;) {
        again = false;
        uint32_t first = linear_first_return(&s->l);
        for (uint32_t lane = 0; lane < s->l.lanes; lane++) {
            uint32_t i = linear_head(&s->l, lane);
            if (i == ID_NONE || !got_null(&s->op[i]) || !linear_ready(&s->l, i, first))
                continue;
            linearize(s, i);
            again = true;
        }
    }
}

static void list_meetings(struct search *s, uint32_t first)
{
    const struct linear *l = &s->l;
    struct mem *m = s->job->mem;
    for (uint32_t lane = 0; lane < l->lanes; lane++) {
        uint32_t i = linear_head(l, lane);
        if (i == ID_NONE || !linear_ready(l, i, first))
            continue;
        for (uint32_t other = lane + 1; other < l->lanes; other++) {
            uint32_t j = linear_head(l, other);
            budget_tick(s->job->budget);
            if (j != ID_NONE && fits(&s->op[i], &s->op[j]) && linear_ready(l, j, first))
                vec_push(m, &s->options, ((struct meeting){i, j}));
        }
        for (uint32_t k = 0; k < l->maybe_n; k++) {
            uint32_t j = l->maybe[k];
            budget_tick(s->job->budget);
            if (!l->done[j] && fits(&s->op[i], &s->op[j]) && linear_ready(l, j, first))
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
    struct mem *m = s->job->mem;
    linear_init(&s->l, s->job);
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

static uint32_t search_orders(struct linearization *l)
{
    struct job *job = l->events->job;
    struct search s = {.job = job, .op = mem_new(job->mem, struct online_op, job->part->n)};
    for (uint32_t i = 0; i < job->part->n; i++)
        s.op[i] = part_events_op(l->events, job->part->ops[i]);
    uint32_t lonely = search(&s);
    for (uint32_t i = 0; i < s.trail.n; i++)
        vec_push(job->mem, &l->ops, job->part->ops[s.trail.at[i]]);
    return lonely == ID_NONE ? ID_NONE : job->part->ops[lonely];
}

static void run(struct job *job)
{
    struct part_events events = part_events_open(job);
    struct linearization l = {.events = &events};
    struct evidence *ev = &job->out->evidence;
    uint32_t lonely = job->calls->order == CALLS_INTERVALS ? pair_intervals(&l) : search_orders(&l);
    if (lonely != ID_NONE) {
        job->out->verdict = ASSAY_VIOLATION;
        evidence_part(ev, PATTERN_NoPartner, lonely, false);
        return;
    }
    if (job->witness)
        evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; job->witness && i < l.ops.n; i++)
        evidence_place(ev, l.ops.at[i]);
}

static const char *declines(const struct job *job)
{
    return plain_is(job, &spec_exchanger) ? NULL : "the object is not an exchanger";
}

const struct engine engine_exchanger = {
    .name = "exchanger",
    .title = "exchangers: pairing off",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
