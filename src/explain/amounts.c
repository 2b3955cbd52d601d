/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/amounts.h"

#include "explain/held_keys.h"
#include "search/moments.h"
#include "search/plain_part.h"

enum { MOST_ARGS = 3 };

/* ---- the sweep ---- */

static int64_t negative(int64_t n)
{
    return n < 0 ? n : 0;
}

static int64_t positive(int64_t n)
{
    return n > 0 ? n : 0;
}

static void blame_call(const struct amount_reading *r, uint32_t i, bool too_small, struct range bounds,
                       struct amount_finding *f)
{
    *f = (struct amount_finding){i, r->name(r, i, too_small), r->which, bounds, true};
}

/* The call has the moments from `m` to `end`: was the amount before it between low and high at one of them? *all has
 * the bounds of the moments that do not fit. */
static bool fits(const struct amount_call *c, const struct range *m, const struct range *end, struct range *all)
{
    *all = (struct range){INT64_MAX, INT64_MIN};
    for (; m < end; m++) {
        int64_t least = m->least - negative(c->least), most = m->most - positive(c->most); /* without its own change */
        if (least <= c->high && most >= c->low)
            return true;
        all->least = least < all->least ? least : all->least;
        all->most = most > all->most ? most : all->most;
    }
    return false;
}

static void test(const struct amount_reading *r, uint32_t i, const struct range *m, const struct range *end,
                 struct amount_finding *f)
{
    struct range all;
    if (!fits(&r->call[i], m, end, &all))
        blame_call(r, i, all.most < r->call[i].low, all, f);
}

/* Behind the call no amount is possible. Other calls that overlap it may have to do with that, each of which could come
 * first. Or it is to blame alone: at each moment the amount was too small or too large for it. */
static void test_change(const struct amount_reading *r, uint32_t i, const struct range *m, const struct range *end,
                        struct amount_finding *f)
{
    const struct range *now = end;
    bool too_small = now->most < r->amount.bottom;
    if (!too_small && now->least <= r->amount.top)
        return;
    struct amount_call needs = r->call[i];
    struct range ignored;
    needs.low = too_small ? r->amount.bottom - needs.most : INT64_MIN;
    needs.high = too_small ? INT64_MAX : r->amount.top - needs.least;
    blame_call(r, i, too_small, *now, f);
    f->alone = !fits(&needs, m, end, &ignored);
}

void amount_sweep(struct amount_reading *r, struct amount_finding *found)
{
    const struct job *job = r->job;
    const struct part *part = job->part;
    struct mem *m = job->mem;
    struct amount_finding own = {.culprit = ID_NONE};
    uint32_t n, *called = mem_new(m, uint32_t, part->n + 1);
    uint32_t until = found->culprit == ID_NONE ? CALLS_NEVER : job->calls->ret[part->ops[found->culprit]];
    uint64_t *events = moments_of(job->calls, part, m, &n);
    struct range *behind = mem_new(m, struct range, n + 1), now = r->start;
    for (uint32_t e = 0; e < n && moment_rank(events[e]) < until && own.culprit == ID_NONE; e++) {
        uint32_t i = moment_place(events[e]);
        budget_tick(job->budget);
        r->pass(r, i, moment_is_return(events[e]), &now);
        behind[e] = now;
        if (!moment_is_return(events[e])) {
            called[i] = e;
            continue;
        }
        if (r->call[i].tells)
            test(r, i, behind + called[i], behind + e, &own);
        if (own.culprit == ID_NONE)
            test_change(r, i, behind + called[i], behind + e, &own);
    }
    if (own.culprit != ID_NONE)
        *found = own;
    mem_free(m, events);
    mem_free(m, behind);
    mem_free(m, called);
}

/* ---- calls that add to an amount ---- */

struct counting {
    struct amount_reading reading;
    const struct amount_object *object;
    bool rises, risen; /* some call increases it; one was called so far; or it is above 0 at first */
};

static assay_call call_at(const struct job *job, uint32_t i, assay_value *args)
{
    return calls_get(job->calls, job->part->ops[i], args);
}

static void pass(struct amount_reading *r, uint32_t i, bool returns, struct range *now)
{
    struct counting *c = (struct counting *)r;
    const struct amount_call *call = &r->call[i];
    now->least += returns ? positive(call->least) : negative(call->least);
    now->most += returns ? negative(call->most) : positive(call->most);
    c->risen |= call->most > 0;
}

static enum pattern name(const struct amount_reading *r, uint32_t i, bool too_small)
{
    const struct counting *c = (const struct counting *)r;
    assay_value args[MOST_ARGS];
    assay_call call = call_at(r->job, i, args);
    struct amount_lack lack = {too_small, !c->rises, !c->risen};
    return c->object->pattern(&call, &lack);
}

/* Adds to the total, unless that could overflow some sum. */
static bool count_in(int64_t *total, int64_t change)
{
    return change > INT64_MIN / 4 && change < INT64_MAX / 4 &&
           !__builtin_add_overflow(*total, change < 0 ? -change : change, total) && *total < INT64_MAX / 4;
}

/* False: sums could leave the numbers of 64 bits. */
static bool read_calls(struct counting *c)
{
    const struct job *job = c->reading.job;
    int64_t total = 0;
    bool small = count_in(&total, c->reading.amount.initial);
    c->rises = c->risen = c->reading.amount.initial > 0;
    for (uint32_t i = 0; i < job->part->n && small; i++) {
        assay_value args[MOST_ARGS];
        assay_call call = call_at(job, i, args);
        bool pending = job->calls->ret[job->part->ops[i]] == CALLS_NEVER;
        struct amount_call *read = &c->reading.call[i];
        *read = c->object->call(&call, pending, &c->reading.amount, c->reading.which);
        c->rises |= read->most > 0;
        small = count_in(&total, read->least) && count_in(&total, read->most);
    }
    return small;
}

static void count_all(struct job *job, const struct amount_object *object, struct amount_finding *found)
{
    struct counting c = {.reading = {.job = job, .pass = pass, .name = name}, .object = object};
    c.reading.call = mem_new(job->mem, struct amount_call, job->part->n + 1);
    for (uint32_t n = object->count(job); c.reading.which < n; c.reading.which++) {
        c.reading.amount = object->of(job, c.reading.which);
        c.reading.start = (struct range){c.reading.amount.initial, c.reading.amount.initial};
        if (read_calls(&c))
            amount_sweep(&c.reading, found);
    }
    mem_free(job->mem, c.reading.call);
}

/* ---- the proof ---- */

static void report(struct job *job, const struct amount_finding *f)
{
    struct evidence *ev = &job->out->evidence;
    uint32_t culprit = job->part->ops[f->culprit];
    evidence_anew(ev);
    evidence_part(ev, f->pattern, culprit, false);
    evidence_keep(ev, culprit);
    ev->least = f->bounds.least;
    ev->most = f->bounds.most;
    ev->counted = f->which;
    ev->alone = f->alone;
}

bool amounts_explain(struct job *job)
{
    const struct evidence *ev = &job->out->evidence;
    const struct calls *calls = job->calls;
    struct amount_finding found = {.culprit = ID_NONE};
    if (!job->part->object || calls->order != CALLS_INTERVALS || calls->derived) /* recheck goes by the times */
        return false;
    const struct amount_object *object = amount_object_of(job);
    if (object)
        count_all(job, object, &found);
    else
        held_keys_count(job, &found);
    if (found.culprit == ID_NONE || (ev->prefix && calls->ret[job->part->ops[found.culprit]] > calls->ret[ev->culprit]))
        return false;
    report(job, &found);
    return true;
}
