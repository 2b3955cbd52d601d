/* SPDX-License-Identifier: Apache-2.0 */
#include "search/tally.h"

#include "history/value_ids.h"
#include "search/calls.h"
#include "search/moments.h"
#include "search/plain_part.h"
#include "spec/roles.h"

struct count { /* of the calls of one value so far */
    uint32_t initial, adds_called, adds_returned, removes_called, removes_returned;
    uint32_t since, until; /* moments: its surplus is positive from here on; or was up to there */
};

/* Moments are ranks of events plus 1, so that 0 comes before all of them. */
struct tally {
    struct job *job;
    const struct part *part;
    bool two_ends;
    uint32_t *value;      /* of each operation: a number; ID_NONE: it found nothing, or is pending */
    uint32_t *gone;       /* of a peek: the removals of its value that had returned when it was called */
    struct count *of;     /* by value */
    uint32_t values;      /* so many */
    uint64_t surplus;     /* of all values whose surplus is positive */
    uint32_t pending;     /* removals that were called and never return */
    uint32_t never_empty; /* the moment since which it is not empty for certain; CALLS_NEVER: it may be empty now */
    enum pattern pattern; /* the reason found, or PATTERN_NONE */
    uint32_t culprit;     /* place in the part */
};

static bool is_for(const struct job *job)
{
    return job->part->object && job->calls->order == CALLS_INTERVALS &&
           (plain_is(job, "queue") || plain_is(job, "stack") || plain_is(job, "deque") || plain_is(job, "pqueue"));
}

static unsigned role(const struct tally *t, uint32_t i)
{
    return calls_method(t->job->calls, t->part->ops[i]) >> t->two_ends;
}

static uint32_t call_of(const struct tally *t, uint32_t i)
{
    return t->job->calls->call[t->part->ops[i]];
}

static uint32_t return_of(const struct tally *t, uint32_t i)
{
    return t->job->calls->ret[t->part->ops[i]];
}

static void number_values(struct tally *t)
{
    const history *h = t->job->h;
    struct mem *m = t->job->mem;
    const assay_setting s = part_setting(t->part);
    struct value empty = {names_find(&h->names, "empty", 5), ASSAY_WORD};
    struct value_ids ids = {0};
    t->value = mem_new_ids(m, t->part->n + 1);
    for (uint32_t i = 0; i < t->part->n; i++) {
        bool adds = role(t, i) == COLLECTION_ADD;
        struct value v = adds ? history_arg(h, t->part->ops[i], 0) : history_result(h, t->part->ops[i]);
        if (adds || (return_of(t, i) != CALLS_NEVER && !value_same(v, empty)))
            t->value[i] = value_id(m, &ids, v);
    }
    t->of = mem_new_zero(m, struct count, ids.n + s.init_count + 1);
    for (size_t j = 0; j < s.init_count; j++)
        t->of[value_id(m, &ids, value_internal(s.init[j].value))].initial++;
    t->values = ids.n;
    value_ids_free(m, &ids);
}

static void name(struct tally *t, enum pattern pattern, uint32_t culprit)
{
    t->pattern = pattern;
    t->culprit = culprit;
}

/* ---- a value that nobody adds ---- */

static void find_never_added(struct tally *t)
{
    bool *added = mem_new_zero(t->job->mem, bool, t->values + 1);
    for (uint32_t v = 0; v < t->values; v++)
        added[v] = t->of[v].initial;
    for (uint32_t i = 0; i < t->part->n; i++)
        if (role(t, i) == COLLECTION_ADD)
            added[t->value[i]] = true;
    for (uint32_t i = 0; i < t->part->n; i++)
        if (t->value[i] != ID_NONE && !added[t->value[i]] &&
            (t->pattern == PATTERN_NONE || return_of(t, i) < return_of(t, t->culprit)))
            name(t, PATTERN_RemovedNeverAdded, i);
    mem_free(t->job->mem, added);
}

/* ---- the sweep ---- */

static int64_t surplus_of(const struct count *c)
{
    return (int64_t)c->initial + c->adds_returned - c->removes_called;
}

static void look_whether_empty(struct tally *t, uint32_t now)
{
    if (t->surplus <= t->pending)
        t->never_empty = CALLS_NEVER;
    else if (t->never_empty == CALLS_NEVER)
        t->never_empty = now;
}

static void add_returned(struct tally *t, struct count *c, uint32_t now)
{
    c->adds_returned++;
    if (surplus_of(c) > 0)
        t->surplus++;
    if (surplus_of(c) == 1)
        c->since = now;
    look_whether_empty(t, now);
}

static void remove_called(struct tally *t, struct count *c, uint32_t now)
{
    if (surplus_of(c) > 0)
        t->surplus--;
    if (surplus_of(c) == 1)
        c->until = now;
    c->removes_called++;
    look_whether_empty(t, now);
}

static void pass_call(struct tally *t, uint32_t i, uint32_t now)
{
    struct count *c = t->value[i] == ID_NONE ? NULL : &t->of[t->value[i]];
    if (c && role(t, i) == COLLECTION_ADD) {
        c->adds_called++;
    } else if (c && role(t, i) == COLLECTION_REMOVE) {
        remove_called(t, c, now);
    } else if (c) {
        t->gone[i] = c->removes_returned;
    } else if (role(t, i) == COLLECTION_REMOVE && return_of(t, i) == CALLS_NEVER) {
        t->pending++;
        look_whether_empty(t, now);
    }
}

static void pass_return(struct tally *t, uint32_t i, uint32_t now)
{
    if (t->value[i] == ID_NONE) {
        if (t->never_empty <= call_of(t, i))
            name(t, PATTERN_EmptyWhileFull, i);
        return;
    }
    struct count *c = &t->of[t->value[i]];
    if (role(t, i) == COLLECTION_ADD) {
        add_returned(t, c, now);
        return;
    }
    bool looks = role(t, i) == COLLECTION_PEEK;
    uint32_t taken = looks ? t->gone[i] + 1 : ++c->removes_returned;
    if (taken > (uint64_t)c->initial + c->adds_called)
        name(t,
             !c->initial && !c->adds_called ? PATTERN_RemovedBeforeAdded
             : looks                        ? PATTERN_SeenAfterRemoved
                                            : PATTERN_RemovedTwice,
             i);
}

/* The return up to which the engine has refuted the history. No later reason is better. */
static uint32_t refuted_until(const struct job *job)
{
    const struct evidence *ev = &job->out->evidence;
    return ev->prefix ? job->calls->ret[ev->culprit] : CALLS_NEVER;
}

/* Up to the first return that lacks something. */
static void sweep(struct tally *t)
{
    uint32_t n, until = refuted_until(t->job);
    uint64_t *events = moments_of(t->job->calls, t->part, t->job->mem, &n);
    t->gone = mem_new_zero(t->job->mem, uint32_t, t->part->n + 1);
    t->never_empty = CALLS_NEVER;
    for (uint32_t v = 0; v < t->values; v++)
        t->surplus += t->of[v].initial;
    look_whether_empty(t, 0);
    for (uint32_t e = 0; e < n && moment_rank(events[e]) <= until && t->pattern == PATTERN_NONE; e++) {
        uint32_t i = moment_place(events[e]), now = moment_rank(events[e]) + 1;
        if (moment_is_return(events[e]))
            pass_return(t, i, now);
        else
            pass_call(t, i, now);
    }
    mem_free(t->job->mem, events);
}

/* ---- the proof ---- */

/* The values that were there while the culprit found nothing: one is enough if it was there all the time. Of several
 * such values, the one with the fewest calls. */
static void choose_present(const struct tally *t, bool *chosen)
{
    uint32_t call = call_of(t, t->culprit), one = ID_NONE, fewest = 0;
    for (uint32_t v = 0; v < t->values; v++) {
        const struct count *c = &t->of[v];
        bool now = surplus_of(c) > 0;
        uint32_t calls = c->adds_called + c->removes_called;
        chosen[v] = now || c->until > call;
        if (!t->pending && now && c->since <= call && (one == ID_NONE || calls < fewest)) {
            one = v;
            fewest = calls;
        }
    }
    for (uint32_t v = 0; v < t->values && one != ID_NONE; v++)
        chosen[v] = v == one;
}

/* Only the calls up to the culprit's return belong to the proof, where that is a time of the history. */
static void report(const struct tally *t)
{
    struct evidence *ev = &t->job->out->evidence;
    bool *chosen = mem_new_zero(t->job->mem, bool, t->values + 1), prefix = !t->job->calls->derived;
    if (t->pattern == PATTERN_EmptyWhileFull)
        choose_present(t, chosen);
    else
        chosen[t->value[t->culprit]] = true;
    evidence_anew(ev);
    evidence_part(ev, t->pattern, t->part->ops[t->culprit], prefix);
    for (uint32_t i = 0; i < t->part->n; i++) {
        uint32_t v = t->value[i];
        bool any = role(t, i) == COLLECTION_REMOVE && return_of(t, i) == CALLS_NEVER;
        bool counts = i == t->culprit || any ||
                      (v != ID_NONE && chosen[v] &&
                       (role(t, i) != COLLECTION_PEEK || t->pattern == PATTERN_RemovedNeverAdded));
        if (counts && (!prefix || call_of(t, i) < return_of(t, t->culprit)))
            evidence_keep(ev, t->part->ops[i]);
    }
    t->job->out->verdict = ASSAY_VIOLATION;
}

bool tally_explains(struct job *job)
{
    struct tally t = {.job = job, .part = job->part};
    if (!is_for(job))
        return false;
    t.two_ends = plain_is(job, "deque");
    number_values(&t);
    find_never_added(&t);
    if (t.pattern == PATTERN_NONE)
        sweep(&t);
    if (t.pattern != PATTERN_NONE)
        report(&t);
    return t.pattern != PATTERN_NONE;
}
