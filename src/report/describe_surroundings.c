/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of a lone culprit: operations that are no part of the reason, and show a reader where it stands.
 *
 * Neighbours are, in this order, the operations before and behind it in its thread, and those with its key or value.
 * Then come those that overlap it in time, and others of its object. Of each kind the nearest are taken, as long as
 * there is room. A refutation of more operations shows enough by itself. */
#include "history/token.h"
#include "report/describe.h"

enum {
    FEW_INVOLVED = 2, /* operations of a refutation that needs surroundings */
    NEAREST = 3,      /* neighbours of one kind */
    MOST = 10,        /* operations altogether */
};

struct surroundings {
    const history *h;
    const struct evidence *ev;
    uint32_t ops[MOST], n; /* sorted by line */
};

/* ---- who is a neighbour? ---- */

static bool is_of_object(const struct surroundings *s, uint32_t op)
{
    return history_object_of(s->h, op) == history_object_of(s->h, s->ev->culprit);
}

/* The value that the call found or brought: its result, unless that is a word (`true`, `empty`, `ok`); else its last
 * argument. */
static struct value value_of(const history *h, uint32_t op)
{
    struct value got = history_result(h, op);
    uint32_t arity = history_arity(h, op);
    return (got.kind == ASSAY_NONE || got.kind == ASSAY_WORD) && arity ? history_arg(h, op, arity - 1) : got;
}

/* Does the call have the key, which is the first argument, or the value of the culprit? */
static bool shares_value(const struct surroundings *s, uint32_t op)
{
    const history *h = s->h;
    uint32_t culprit = s->ev->culprit, arity = history_arity(h, op);
    struct value v = value_of(h, culprit);
    return is_of_object(s, op) &&
           ((arity && history_arity(h, culprit) && value_same(history_arg(h, op, 0), history_arg(h, culprit, 0))) ||
            (arity && value_same(history_arg(h, op, arity - 1), v)) || value_same(history_result(h, op), v));
}

/* Does the transaction have the key of the access that is at fault? */
static bool shares_key(const struct surroundings *s, uint32_t op)
{
    if (s->ev->access == ASSAY_NO_OPERATION)
        return false;
    struct value key = history_arg(s->h, s->ev->culprit, 3 * s->ev->access + 1);
    for (uint32_t i = 1; i < history_arity(s->h, op); i += 3)
        if (value_same(history_arg(s->h, op, i), key))
            return true;
    return false;
}

static bool is_related(const struct surroundings *s, uint32_t op)
{
    return (token_is_txn(s->h, s->h->method[s->ev->culprit]) ? shares_key : shares_value)(s, op);
}

static bool ended_before(const history *h, uint32_t first, uint32_t second)
{
    return !history_pending(h, first) && h->ret[first] < h->call[second];
}

static bool overlaps(const struct surroundings *s, uint32_t op)
{
    return !ended_before(s->h, op, s->ev->culprit) && !ended_before(s->h, s->ev->culprit, op);
}

/* ---- choosing ---- */

static bool has(const struct surroundings *s, uint32_t op)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->ops[i] == op)
            return true;
    return false;
}

static bool stands_behind(const history *h, uint32_t a, uint32_t b)
{
    uint32_t line = history_line(h, a), other = history_line(h, b);
    return line != other ? line > other : a > b;
}

static void add(struct surroundings *s, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION || has(s, op) || s->n == MOST)
        return;
    uint32_t i = s->n++;
    for (; i && stands_behind(s->h, s->ops[i - 1], op); i--)
        s->ops[i] = s->ops[i - 1];
    s->ops[i] = op;
}

/* From the culprit: of the calls in time, else of the places in the history. */
static uint64_t distance(const struct surroundings *s, uint32_t op)
{
    uint32_t culprit = s->ev->culprit;
    if (history_times(s->h) != TIMES_INTERVALS)
        return op > culprit ? op - culprit : culprit - op;
    int64_t a = s->h->call[op], b = s->h->call[culprit];
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static void add_nearest(struct surroundings *s, bool (*is_neighbour)(const struct surroundings *s, uint32_t op))
{
    uint32_t nearest[NEAREST + 1], n = 0;
    for (uint32_t op = 0; op < s->h->n; op++) {
        if (!is_neighbour(s, op) || has(s, op))
            continue;
        uint32_t i = n;
        for (; i && distance(s, nearest[i - 1]) > distance(s, op); i--)
            nearest[i] = nearest[i - 1];
        nearest[i] = op;
        n += n < NEAREST;
    }
    for (uint32_t i = 0; i < n; i++)
        add(s, nearest[i]);
}

static uint32_t in_thread_before(const history *h, uint32_t op)
{
    for (uint32_t o = op; o--;)
        if (h->thread[o] == h->thread[op])
            return o;
    return ASSAY_NO_OPERATION;
}

static uint32_t in_thread_behind(const history *h, uint32_t op)
{
    for (uint32_t o = op + 1; o < h->n; o++)
        if (h->thread[o] == h->thread[op])
            return o;
    return ASSAY_NO_OPERATION;
}

struct mentions describe_surroundings(const result *r, struct mentions involved, struct mem *m)
{
    struct surroundings s = {.h = r->h, .ev = &r->evidence};
    if (involved.n > FEW_INVOLVED || r->evidence.culprit == ASSAY_NO_OPERATION || describe_cycles(r) ||
        r->evidence.cases.n)
        return involved;
    for (uint32_t i = 0; i < involved.n; i++)
        add(&s, involved.ops[i]);
    for (uint32_t i = 0; i < involved.n; i++) {
        add(&s, in_thread_before(r->h, involved.ops[i]));
        add(&s, in_thread_behind(r->h, involved.ops[i]));
    }
    add_nearest(&s, is_related);
    if (history_times(r->h) == TIMES_INTERVALS)
        add_nearest(&s, overlaps);
    add_nearest(&s, is_of_object);
    struct mentions out = {mem_new(m, uint32_t, s.n), s.n};
    for (uint32_t i = 0; i < s.n; i++)
        out.ops[i] = s.ops[i];
    return out;
}
