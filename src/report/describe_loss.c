/* SPDX-License-Identifier: Apache-2.0 */
/* Is a violation the loss of something that was acknowledged? A sentence names it: the element of a set or the key of a
 * map that a later call misses, the value that a collection was said not to have, the piece of a string, or the
 * increments of a counter. Where a value of a set comes and goes, the calls are counted. All of it can be looked up in
 * the file. */
#include "base/vec.h"
#include "history/token.h"
#include "history/value_ids.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

static bool is_of_same_object(const history *h, uint32_t a, uint32_t b)
{
    return history_object_of(h, a) == history_object_of(h, b);
}

/* ---- the values of queues, stacks, ... ---- */

struct copies {
    uint32_t in, out; /* calls that had put the value in before, and calls that take it out at any time */
    bool seen;        /* by a peek */
};

struct balance {
    struct mem *m;
    struct value_ids ids;
    VEC(struct copies) of;
};

static struct copies *copies(struct balance *b, struct value v)
{
    uint32_t id = value_id(b->m, &b->ids, v);
    while (b->of.n <= id)
        vec_push(b->m, &b->of, ((struct copies){.in = 0}));
    return &b->of.at[id];
}

static bool answers(const history *h, uint32_t op, const char *word)
{
    struct value v = history_result(h, op);
    return !history_pending(h, op) && v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

/* An enq of a bounded queue may find it full. */
static bool puts_in(const history *h, uint32_t op)
{
    return history_arity(h, op) && !answers(h, op, "full") && !answers(h, op, "false");
}

/* False: a removal without an outcome may have taken any value. */
static bool add_up(struct balance *b, const history *h, uint32_t culprit)
{
    for (uint32_t op = 0; op < h->n; op++) {
        if (!is_of_same_object(h, op, culprit))
            continue;
        bool looks = strncmp(history_text(h, h->method[op]), "peek", strlen("peek")) == 0;
        if (history_arity(h, op))
            copies(b, history_arg(h, op, 0))->in += puts_in(h, op) && h->ret[op] < h->call[culprit];
        else if (looks && !history_pending(h, op))
            copies(b, history_result(h, op))->seen = true;
        else if (history_pending(h, op) && !looks)
            return false;
        else if (!looks)
            copies(b, history_result(h, op))->out++;
    }
    return true;
}

static bool is_lost(const struct copies *c)
{
    return c->in > c->out && !c->seen;
}

static void tell_lost(struct text *t, struct balance *b, const history *h, uint32_t add)
{
    const struct copies *c = copies(b, history_arg(h, add, 0));
    uint32_t lost = 0;
    for (uint32_t i = 0; i < b->of.n; i++)
        lost += is_lost(&b->of.at[i]) ? b->of.at[i].in - b->of.at[i].out : 0;
    token_print(t, h, history_written(h, add, 0));
    text_puts(t, " is lost: ");
    if (c->in == 1) {
        describe_operation(t, h, add);
        text_puts(t, " had returned before, and no call ever finds it");
    } else {
        text_printf(t, "%u calls that put it in had returned before, and ", (unsigned)c->in);
        if (c->out)
            text_printf(t, "%u %s it out", (unsigned)c->out, c->out == 1 ? "call takes" : "calls take");
        else
            text_puts(t, "no call ever finds it");
    }
    if (lost > 1)
        text_printf(t, " (%u are lost in all)", (unsigned)lost);
}

/* Had the call put something in before the culprit began that never leaves? */
static bool loses(struct balance *b, const history *h, uint32_t culprit, uint32_t op)
{
    return is_of_same_object(h, op, culprit) && puts_in(h, op) && h->ret[op] < h->call[culprit] &&
           is_lost(copies(b, history_arg(h, op, 0)));
}

/* A value that was in a queue, stack, ... while it was found empty: does it ever leave? It is one of those in the
 * proof, or any if that names none. */
static bool lost_value(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    struct balance b = {.m = t->mem};
    uint32_t add = ASSAY_NO_OPERATION;
    bool known = add_up(&b, h, ev->culprit);
    for (uint32_t i = 0; i < (ev->kept.n ? ev->kept.n : h->n) && known && add == ASSAY_NO_OPERATION; i++) {
        uint32_t op = ev->kept.n ? ev->kept.at[i] : i;
        if (loses(&b, h, ev->culprit, op))
            add = op;
    }
    if (add != ASSAY_NO_OPERATION)
        tell_lost(t, &b, h, add);
    value_ids_free(b.m, &b.ids);
    vec_free(b.m, &b.of);
    return add != ASSAY_NO_OPERATION;
}

/* ---- counters ---- */

/* By how much the call changes the counter; false: it is not known. */
static bool change_of(const history *h, uint32_t op, int64_t *by)
{
    bool some = history_arity(h, op) == 1 && history_arg(h, op, 0).kind == ASSAY_INT;
    if (describe_is_called(h, op, "inc") || describe_is_called(h, op, "increment"))
        *by = 1;
    else if (describe_is_called(h, op, "dec") || describe_is_called(h, op, "decrement"))
        *by = -1;
    else
        *by = some ? history_arg(h, op, 0).bits : 0;
    return some || !history_arity(h, op);
}

/* What the culprit says the counter was before it. */
static bool value_before(const history *h, uint32_t culprit, int64_t *seen)
{
    int64_t by;
    bool says_old = describe_is_called(h, culprit, "fetch-add") || describe_is_called(h, culprit, "get-and-add");
    if (history_result(h, culprit).kind != ASSAY_INT || !change_of(h, culprit, &by))
        return false;
    *seen = history_result(h, culprit).bits;
    return says_old || !__builtin_sub_overflow(*seen, by, seen);
}

/* What the calls before it add up to, at least: those that had returned, and all that may take away. */
static bool least_sum(const history *h, uint32_t culprit, int64_t *sum, bool *takes_away)
{
    int64_t by;
    for (uint32_t op = 0; op < h->n; op++) {
        if (op == culprit || !is_of_same_object(h, op, culprit))
            continue;
        if (!change_of(h, op, &by))
            return false;
        bool before = !history_pending(h, op) && h->ret[op] < h->call[culprit];
        if (by < 0 ? h->call[op] < h->ret[culprit] : before) {
            *takes_away |= by < 0;
            if (__builtin_add_overflow(*sum, by, sum))
                return false;
        }
    }
    return true;
}

/* Less than what had been acknowledged. */
static bool lost_increments(struct text *t, const result *r)
{
    const history *h = r->h;
    int64_t first = 0, sum, seen, missing;
    bool takes_away = false;
    if (h->init.n > 1 || history_any_initial(h) || (h->init.n && h->init.at[0].value.kind != ASSAY_INT))
        return false;
    if (h->init.n)
        first = h->init.at[0].value.bits;
    sum = first;
    if (!value_before(h, r->evidence.culprit, &seen) || !least_sum(h, r->evidence.culprit, &sum, &takes_away) ||
        seen >= sum || __builtin_sub_overflow(sum, seen, &missing))
        return false;
    text_printf(t, "lost: %s%s add up to ", first ? "the initial value and " : "",
                takes_away ? "the calls before it" : "the calls that had returned before");
    text_puts(t, takes_away ? "at least " : "");
    text_int(t, sum);
    text_puts(t, ", so at least ");
    text_int(t, missing);
    text_puts(t, " is missing");
    return true;
}

/* Between the begin of the first one and the end of the last one, can a call take something away? */
static bool may_fall_between(const history *h, uint32_t a, uint32_t b)
{
    int64_t from = h->call[a] < h->call[b] ? h->call[a] : h->call[b],
            to = h->ret[a] > h->ret[b] ? h->ret[a] : h->ret[b];
    for (uint32_t op = 0; op < h->n; op++) {
        int64_t by;
        bool apart = h->call[op] > to || (!history_pending(h, op) && h->ret[op] < from);
        if (is_of_same_object(h, op, a) && !apart && (!change_of(h, op, &by) || by < 0))
            return true;
    }
    return false;
}

/* Two calls that add something and were told the same number, which nothing has brought back. */
static bool same_number_as(struct text *t, const history *h, uint32_t culprit)
{
    int64_t seen, other, by;
    if (culprit == ASSAY_NO_OPERATION || history_pending(h, culprit) || !change_of(h, culprit, &by) || by <= 0 ||
        !value_before(h, culprit, &seen))
        return false;
    for (uint32_t op = 0; op < h->n; op++) {
        if (op == culprit || !is_of_same_object(h, op, culprit) || history_pending(h, op) || !change_of(h, op, &by) ||
            by <= 0 || !value_before(h, op, &other) || other != seen || may_fall_between(h, op, culprit))
            continue;
        uint32_t first = op < culprit ? op : culprit, second = op < culprit ? culprit : op;
        text_puts(t, "lost: ");
        describe_operation(t, h, first);
        text_puts(t, " and ");
        describe_operation(t, h, second);
        text_puts(t, " both add to ");
        text_int(t, seen);
        text_puts(t, ", and no call between them can have taken anything away");
        return true;
    }
    return false;
}

static bool same_number(struct text *t, const result *r)
{
    return same_number_as(t, r->h, r->evidence.culprit) || same_number_as(t, r->h, r->explanation.unexplained);
}

bool describe_loss(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->culprit == ASSAY_NO_OPERATION || !(r->model->conditions & COND_LIN) ||
        (r->model->needs & NEED_TRANSACTIONS) || history_times(r->h) != TIMES_INTERVALS ||
        history_pending(r->h, ev->culprit))
        return false;
    if (describe_is_of(r, "set") || describe_is_of(r, "multiset") || describe_is_of(r, "map"))
        return describe_missing(t, r) || (describe_is_of(r, "set") && describe_counts(t, r));
    if (describe_is_of(r, "append-map"))
        return describe_pieces(t, r);
    if (describe_is_of(r, "counter"))
        return (ev->pattern == PATTERN_SumOutOfReach && lost_increments(t, r)) || same_number(t, r);
    bool bounded = describe_is_of(r, "bounded-queue");
    bool collection = bounded || describe_is_of(r, "queue") || describe_is_of(r, "stack") ||
                      describe_is_of(r, "deque") || describe_is_of(r, "pqueue");
    bool found_nothing = bounded ? answers(r->h, ev->culprit, "empty") : ev->pattern == PATTERN_EmptyWhileFull;
    return collection && found_nothing && lost_value(t, r);
}
