/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `exchanger`: exchange(v) => w, or null if nobody came. It has no sequential states: two operations take part
 * in an exchange together. A history is right iff the operations that succeeded can be paired off, each with another that
 * got what it gave and gave what it got, neither of which happens before the other. A pending operation may be the partner
 * of one that succeeded: nobody knows what it got, but somebody must have given it. Null says that there was no
 * partner, so an operation that gave null has none.
 *
 * Who can be paired with x, which gave a and got b (it is of class (a, b)): operations of class (b, a) and pending ones
 * that gave b, as far as they overlap x. If no value is given twice there is nothing to choose.
 *
 * Intervals: operations by their returns. x is due; if it has no partner yet, it takes the open operation of class (b, a)
 * that returns first, d; if there is none, a pending one that has been called; if there is none, x has no partner in
 * any pairing. Why: let M be a pairing of all that succeeded, which agrees with what has been paired so far, and let x
 * have another partner in it. Everything that is not paired yet returns after x does, and partners of x were called
 * before that, so they overlap all that is not paired and has been called.
 *   x takes d. If M pairs x with y, and d with z, then y and z can be paired instead, or left out if both are pending:
 *   they gave and got what d and x did, as far as it is known; y was called before x returned, so before z
 *   returns; and z was called before d returned, so before y does.
 *   x takes a pending p, because no d is open. M pairs it with a pending y; if it pairs p with z, then z can be paired with
 *   y, since both gave the same, and y had been called when z, which comes later than x, returned.
 *
 * Other orders (equal times, knowledge): a matching in a general graph (order/matching.h), where a pending operation may stay
 * without a partner. Happens-before must be closed here, and with ranks it is: program order never goes back in time,
 * so a chain with a step of real time in it is one of real time from end to end.
 *
 * The witness has partners next to each other, and extends happens-before. For intervals a pair stands where the later of
 * the two was called; for other orders, where both can come next. (There, pairs can cross: x1 before x2 and y2 before y1
 * for the pairs x1, y1 and x2, y2, of which each overlaps. Overlapping is all that is asked; such pairs stand last.) */
#include "base/heap.h"
#include "base/radix.h"
#include "engine/plain.h"
#include "history/value_ids.h"
#include "order/matching.h"
#include "spec/roles.h"

enum { PENDING_KEY = UINT32_MAX - 1 }; /* stands for what a pending operation got */

struct exchange {
    struct job *job;
    const struct part *part;
    uint32_t n;
    uint32_t *gave, *got; /* numbers of values; got PENDING_KEY: pending; ID_NONE: nothing, so it needs no partner */
    uint32_t null;        /* the number of null */
    uint32_t *class_of;   /* of those that succeeded, by (gave, got); of pending ones by (gave, PENDING_KEY) */
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

/* The classes that may have partners for i, which succeeded; ID_NONE: there is no such operation. */
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
        x->got[i] = history_pending(h, op)      ? PENDING_KEY
                    : value_same(answer, null)  ? ID_NONE
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
    uint64_t *open; /* of each class a heap of (return, place), where its members stand in `members` */
    uint32_t *open_n;
};

static uint32_t take_first(struct line *l, uint32_t class)
{
    return (uint32_t)heap_take(l->open + l->x->members.at[class], l->open_n[class]--);
}

/* The first that cannot be paired, or ID_NONE. */
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
        take_first(&l, x->class_of[i]); /* i itself: what returned before it has a partner */
        uint32_t class = opposite(x, i);
        if (class == ID_NONE || !l.open_n[class])
            class = opposite_pending(x, i);
        if (class == ID_NONE || !l.open_n[class])
            return i;
        pair(x, i, take_first(&l, class));
    }
    return ID_NONE;
}

/* ---- other orders ---- */

static bool happens_before(const struct calls *c, uint32_t first, uint32_t second)
{
    const history *h = c->h;
    if (c->order == CALLS_AFTER)
        return c->past[(size_t)second * h->threads.n + h->thread[first]] > c->index[first];
    bool same_thread = h->thread[first] == h->thread[second];
    return (same_thread && first < second) || (c->ret && c->ret[first] < c->call[second]);
}

static void try_class(const struct exchange *x, uint32_t i, uint32_t class, struct neighbours *out)
{
    const struct calls *c = x->job->calls;
    if (class == ID_NONE)
        return;
    for (uint32_t k = x->members.at[class]; k < x->members.at[class + 1]; k++) {
        uint32_t j = x->members.list[k], a = x->part->ops[i], b = x->part->ops[j];
        budget_tick(x->job->budget);
        if (i != j && !happens_before(c, a, b) && !happens_before(c, b, a))
            vec_push(x->job->mem, out, j);
    }
}

/* Of one that succeeded. */
static void list_partners(const void *context, uint32_t i, struct neighbours *out)
{
    const struct exchange *x = context;
    try_class(x, i, opposite(x, i), out);
    try_class(x, i, opposite_pending(x, i), out);
}

static uint32_t pair_any(struct exchange *x)
{
    bool *must = mem_new(x->job->mem, bool, x->n);
    for (uint32_t i = 0; i < x->n; i++)
        must[i] = succeeded(x, i);
    struct matching g = {
        .n = x->n, .must = must, .list = list_partners, .context = x, .mate = x->partner, .mem = x->job->mem};
    return matching_cover(&g);
}

/* ---- evidence ---- */

static void refute(struct exchange *x, uint32_t lonely)
{
    x->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&x->job->out->evidence, PATTERN_NoPartner, x->part->ops[lonely], false);
}

/* With its partner, which stands no later in the part. */
static void place(struct exchange *x, uint32_t i)
{
    struct evidence *ev = &x->job->out->evidence;
    if (x->partner[i] != ID_NONE)
        evidence_place(ev, x->part->ops[x->partner[i]]);
    evidence_place(ev, x->part->ops[i]);
}

/* Does i not stand in the order by itself: as the first of a pair, or as pending and nobody's partner? */
static bool is_left_out(const struct exchange *x, uint32_t i)
{
    return x->partner[i] == ID_NONE ? x->got[i] == PENDING_KEY : x->partner[i] > i;
}

struct heads { /* of each thread: its first operation that is not placed. What precedes an operation shows there */
    struct exchange *x;
    struct groups by; /* thread: places in the part */
    uint32_t *at;
    bool *placed;
};

static uint32_t head(const struct heads *t, uint32_t thread)
{
    return t->at[thread] < t->by.at[thread + 1] ? t->by.list[t->at[thread]] : ID_NONE;
}

static bool is_next(const struct heads *t, uint32_t i)
{
    const struct exchange *x = t->x;
    const history *h = x->job->h;
    uint32_t op = x->part->ops[i];
    bool next = head(t, h->thread[op]) == i;
    for (uint32_t thread = 0; thread < h->threads.n && next; thread++) {
        uint32_t other = head(t, thread);
        budget_tick(x->job->budget);
        next = other == ID_NONE || !happens_before(x->job->calls, x->part->ops[other], op);
    }
    return next;
}

static void put(struct heads *t, uint32_t i)
{
    uint32_t pair[2] = {i, t->x->partner[i]};
    place(t->x, i);
    for (int k = 0; k < 2 && pair[k] != ID_NONE; k++) {
        t->placed[pair[k]] = true;
        t->at[t->x->job->h->thread[t->x->part->ops[pair[k]]]]++;
    }
}

static bool put_head(struct heads *t, uint32_t thread)
{
    uint32_t i = head(t, thread), j = i == ID_NONE ? ID_NONE : t->x->partner[i];
    if (i == ID_NONE || is_left_out(t->x, i) || !is_next(t, i) || (j != ID_NONE && !is_next(t, j)))
        return false;
    put(t, i);
    return true;
}

static void order_any(struct exchange *x)
{
    const history *h = x->job->h;
    struct mem *m = x->job->mem;
    struct heads t = {.x = x, .placed = mem_new_zero(m, bool, x->n)};
    uint32_t *thread = mem_new(m, uint32_t, x->n);
    for (uint32_t i = 0; i < x->n; i++)
        thread[i] = h->thread[x->part->ops[i]];
    t.by = group_by(thread, x->n, h->threads.n, m);
    t.at = mem_new(m, uint32_t, h->threads.n);
    memcpy(t.at, t.by.at, h->threads.n * sizeof *t.at);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t k = 0; k < h->threads.n; k++)
            again |= put_head(&t, k);
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (!t.placed[i] && !is_left_out(x, i))
            place(x, i);
}

static void witness(struct exchange *x)
{
    evidence_begin_order(&x->job->out->evidence, ASSAY_NO_THREAD);
    if (x->job->calls->order != CALLS_INTERVALS)
        order_any(x);
    for (uint32_t i = 0; i < x->n && x->job->calls->order == CALLS_INTERVALS; i++)
        if (!is_left_out(x, i))
            place(x, i);
}

static void run(struct job *job)
{
    struct exchange x = {.job = job, .part = job->part, .n = job->part->n};
    classify(&x);
    uint32_t lonely = job->calls->order == CALLS_INTERVALS ? pair_intervals(&x) : pair_any(&x);
    if (lonely != ID_NONE)
        refute(&x, lonely);
    else if (job->witness)
        witness(&x);
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
