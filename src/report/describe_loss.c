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

/* False: a removal without an outcome may have taken any value. */
static bool add_up(struct balance *b, const result *r)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    for (uint32_t op = 0; op < h->n; op++) {
        unsigned roles = is_of_same_object(h, op, culprit) ? describe_roles(r, op) : 0;
        if (roles & ROLE_REMOVE && history_pending(h, op))
            return false;
        if (!(roles & (ROLE_ADD | ROLE_REMOVE | ROLE_SEE)))
            continue;
        struct copies *c = copies(b, facts_thing(r->facts, h, op));
        c->in += roles & ROLE_ADD && h->ret[op] < h->call[culprit];
        c->out += (roles & ROLE_REMOVE) != 0;
        c->seen |= (roles & ROLE_SEE) != 0;
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
    describe_say(t, h, "%V is lost: ", history_written(h, add, 0));
    if (c->in == 1) {
        describe_say(t, h, "%O had returned before, and no call ever finds it", add);
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
static bool loses(struct balance *b, const result *r, uint32_t op)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    return is_of_same_object(h, op, culprit) && describe_roles(r, op) & ROLE_ADD && h->ret[op] < h->call[culprit] &&
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
    bool known = add_up(&b, r);
    for (uint32_t i = 0; i < (ev->kept.n ? ev->kept.n : h->n) && known && add == ASSAY_NO_OPERATION; i++) {
        uint32_t op = ev->kept.n ? ev->kept.at[i] : i;
        if (loses(&b, r, op))
            add = op;
    }
    if (add != ASSAY_NO_OPERATION)
        tell_lost(t, &b, h, add);
    value_ids_free(b.m, &b.ids);
    vec_free(b.m, &b.of);
    return add != ASSAY_NO_OPERATION;
}

/* ---- counters ---- */

/* What the call does to the counter. False: it is no call of a counter. */
static bool use_of(const result *r, uint32_t op, struct amount_use *out)
{
    assay_value args[FACTS_ARGS];
    assay_call call;
    if (r->facts->counts != COUNTS_SUM || !facts_call(r->facts, r->h, op, args, &call))
        return false;
    *out = facts_amount(r->facts, &call, history_pending(r->h, op), NULL, 0);
    return true;
}

/* What the calls before it add up to, at least: those that had returned, and all that may take away. */
static bool least_sum(const result *r, int64_t *sum, bool *takes_away)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    struct amount_use use;
    for (uint32_t op = 0; op < h->n; op++) {
        if (op == culprit || !is_of_same_object(h, op, culprit))
            continue;
        if (!use_of(r, op, &use))
            return false;
        int64_t by = use.most;
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
    int64_t first = 0, sum, missing;
    struct amount_use use;
    bool takes_away = false;
    if (h->init.n > 1 || history_any_initial(h) || (h->init.n && h->init.at[0].value.kind != ASSAY_INT))
        return false;
    if (h->init.n)
        first = h->init.at[0].value.bits;
    sum = first;
    if (!use_of(r, r->evidence.culprit, &use) || !use.tells || !least_sum(r, &sum, &takes_away) || use.low >= sum ||
        __builtin_sub_overflow(sum, use.low, &missing))
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
static bool may_fall_between(const result *r, uint32_t a, uint32_t b)
{
    const history *h = r->h;
    int64_t from = h->call[a] < h->call[b] ? h->call[a] : h->call[b],
            to = h->ret[a] > h->ret[b] ? h->ret[a] : h->ret[b];
    for (uint32_t op = 0; op < h->n; op++) {
        struct amount_use use;
        bool apart = h->call[op] > to || (!history_pending(h, op) && h->ret[op] < from);
        if (is_of_same_object(h, op, a) && !apart && (!use_of(r, op, &use) || use.most < 0))
            return true;
    }
    return false;
}

/* A call that adds something, and was told what the number was before. */
static bool is_told(const result *r, uint32_t op, int64_t *before)
{
    struct amount_use use;
    bool told = op != ASSAY_NO_OPERATION && use_of(r, op, &use) && use.tells && use.most > 0;
    *before = told ? use.low : 0;
    return told;
}

/* Two calls that add something and were told the same number, which nothing has brought back. */
static bool same_number_as(struct text *t, const result *r, uint32_t culprit)
{
    const history *h = r->h;
    int64_t seen, other;
    if (!is_told(r, culprit, &seen))
        return false;
    for (uint32_t op = 0; op < h->n; op++) {
        if (op == culprit || !is_of_same_object(h, op, culprit) || !is_told(r, op, &other) || other != seen ||
            may_fall_between(r, op, culprit))
            continue;
        uint32_t first = op < culprit ? op : culprit, second = op < culprit ? culprit : op;
        describe_say(t, h, "lost: %O and %O both add to %D, and no call between them can have taken anything away",
                     first, second, seen);
        return true;
    }
    return false;
}

bool describe_loss(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->culprit == ASSAY_NO_OPERATION || !(r->model->conditions & COND_LIN) ||
        (r->model->needs & NEED_TRANSACTIONS) || history_times(r->h) != TIMES_INTERVALS ||
        history_pending(r->h, ev->culprit))
        return false;
    switch (r->facts->family) {
    case FAMILY_MEMBERS: return describe_missing(t, r) || (r->facts->spec == &spec_set && describe_counts(t, r));
    case FAMILY_MAP: return describe_missing(t, r);
    case FAMILY_SEQUENCE:
    case FAMILY_BOUNDED:
    case FAMILY_PRIORITY:
        return (ev->pattern == PATTERN_EmptyWhileFull || r->facts->family == FAMILY_BOUNDED) &&
               describe_roles(r, ev->culprit) & ROLE_MISS && lost_value(t, r);
    default: break;
    }
    if (r->facts->spec == &spec_append_map)
        return describe_pieces(t, r);
    return (ev->pattern == PATTERN_SumOutOfReach && lost_increments(t, r)) || same_number_as(t, r, ev->culprit) ||
           same_number_as(t, r, r->explanation.unexplained);
}
