/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-stack`: linearizability of a stack whose values are distinct, in O(n log n).
 *
 * Idea and proof are in nest.h: values are peeled off from outside. This file lays the tuned operations of a collection
 * out as a row of events, puts the witness together, and makes a refutation small.
 *
 * Operations that found the stack empty: each has a gap that no value covers (collection.h), which it must have. By the
 * lemma of nest.h there is then a linearization with the stack empty at all of these gaps, if there is one at
 * all: they are used in round 0.
 *
 * Pending pops: left out at first. If that fails, values never popped are left out too, as collection.h explains; if it
 * still fails, that is a violation, else the part is declined. */
#include "engine/collection.h"
#include "engine/nest.h"

#include <string.h>

struct stack {
    struct collection c;
    struct nest_part whole;
    struct groups peeks_of; /* peeks of each value, as places; peek p is peeks_of.list[p] */
    uint32_t *until; /* of each position: how many events there are up to there */
};

/* ---- events ---- */

struct peek_span { /* tuned */
    uint32_t begin, end;
};

static struct peek_span peek_span(const struct stack *s, uint32_t p, uint32_t v)
{
    const struct life *life = &s->c.life[v];
    uint32_t call = s->c.call[s->peeks_of.list[p]], ret = s->c.ret[s->peeks_of.list[p]];
    return (struct peek_span){call > life->add_call ? call : life->add_call,
                              ret < life->remove_return ? ret : life->remove_return};
}

static void count_events(struct stack *s, const uint32_t *owner)
{
    const struct collection *c = &s->c;
    s->until = mem_new_zero(c->job->mem, uint32_t, (size_t)c->end + 2);
    for (uint32_t v = 0; v < c->n; v++) {
        const struct life *life = &c->life[v];
        s->until[life->add_call]++;
        s->until[life->add_return]++;
        s->until[life->remove_call]++;
        if (life->remove != ID_NONE)
            s->until[life->remove_return]++;
    }
    for (uint32_t p = 0; p < s->whole.x.peeks; p++) {
        struct peek_span span = peek_span(s, p, owner[p]);
        s->until[span.begin]++;
        s->until[span.end]++;
    }
    uint32_t sum = 0;
    for (uint32_t at = 0; at <= c->end; at++) {
        uint32_t here = s->until[at];
        s->until[at] = sum; /* grows to what it says while events are put there */
        sum += here;
    }
    s->whole.x.n = sum;
}

/* By position; at one position, where tuning has moved ends of one value's operations, push, peeks and pop follow
 * each other. */
static void lay_out(struct stack *s)
{
    const struct collection *c = &s->c;
    struct nest *x = &s->whole.x;
    struct mem *m = c->job->mem;
    uint32_t *owner = NULL;
    if (c->peeked) {
        s->peeks_of = collection_peeks(c);
        x->peeks = s->peeks_of.at[c->n];
        owner = mem_new(m, uint32_t, x->peeks + 1);
        for (uint32_t v = 0; v < c->n; v++)
            for (uint32_t p = s->peeks_of.at[v]; p < s->peeks_of.at[v + 1]; p++)
                owner[p] = v;
    }
    x->values = c->n;
    x->owner = owner;
    count_events(s, owner);
    uint32_t *events = mem_new(m, uint32_t, x->n + 1), *until = s->until;
    for (uint32_t v = 0; v < c->n; v++) {
        const struct life *life = &c->life[v];
        bool covers = collection_has_critical(life);
        events[until[life->add_call]++] = nest_event(v, NEST_PUSH_BEGIN);
        events[until[life->add_return]++] = nest_event(v, covers ? NEST_OPEN : NEST_PUSH_END);
        for (uint32_t p = c->peeked ? s->peeks_of.at[v] : 0; c->peeked && p < s->peeks_of.at[v + 1]; p++) {
            struct peek_span span = peek_span(s, p, v);
            events[until[span.begin]++] = nest_event(p, NEST_PEEK_BEGIN);
            events[until[span.end]++] = nest_event(p, NEST_PEEK_END);
        }
        events[until[life->remove_call]++] = nest_event(v, covers ? NEST_CLOSE : NEST_POP_BEGIN);
        if (life->remove != ID_NONE)
            events[until[life->remove_return]++] = nest_event(v, NEST_POP_END);
        budget_tick(c->job->budget);
    }
    x->events = events;
}

/* ---- witness ---- */

enum list { POPS, PAIRS, PEEKS, PUSHES, LISTS };

struct lists { /* what happens at each gap */
    uint32_t *first[LISTS], *next[LISTS];
    uint32_t *after_push, *before_pop; /* of each value: peeks */
};

static uint32_t *no_ids(struct mem *m, uint32_t n)
{
    return memset(mem_new(m, uint32_t, (size_t)n + 1), 0xFF, ((size_t)n + 1) * sizeof(uint32_t));
}

static void prepend(struct lists *at, enum list list, uint32_t *first, uint32_t id)
{
    at->next[list][id] = *first;
    *first = id;
}

static struct lists fill_lists(struct stack *s, const struct nest_places *places)
{
    const struct nest *x = &s->whole.x;
    struct lists at;
    for (int list = 0; list < LISTS; list++) {
        at.first[list] = no_ids(x->m, x->n);
        at.next[list] = no_ids(x->m, list == PEEKS ? x->peeks : x->values);
    }
    at.after_push = no_ids(x->m, x->values);
    at.before_pop = no_ids(x->m, x->values);
    for (uint32_t k = 0; k < x->taken_n; k++) {
        uint32_t v = x->taken[k];
        if (places->push[v] < places->pop[v])
            prepend(&at, POPS, &at.first[POPS][places->pop[v]], v);
    }
    for (uint32_t k = x->taken_n; k-- > 0;) {
        uint32_t v = x->taken[k], gap = places->push[v];
        enum list list = gap < places->pop[v] ? PUSHES : PAIRS;
        prepend(&at, list, &at.first[list][gap], v);
    }
    for (uint32_t p = 0; p < x->peeks; p++) {
        uint32_t v = x->owner[p], gap = places->peek[p];
        prepend(&at, PEEKS, gap == places->push[v]  ? &at.after_push[v]
                            : gap == places->pop[v] ? &at.before_pop[v]
                                                    : &at.first[PEEKS][gap], p);
    }
    return at;
}

static void place(struct stack *s, uint32_t at)
{
    if (at != ID_NONE)
        evidence_place(&s->c.job->out->evidence, collection_op(&s->c, at));
}

static void place_peeks(struct stack *s, const struct lists *at, uint32_t p)
{
    for (; p != ID_NONE; p = at->next[PEEKS][p])
        place(s, s->peeks_of.list[p]);
}

static void witness(struct stack *s)
{
    const struct collection *c = &s->c;
    struct nest_places places = nest_places(&s->whole.x);
    struct lists at = fill_lists(s, &places);
    evidence_begin_order(&c->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t gap = 0, e = 0; gap <= s->whole.x.n; gap++) {
        for (uint32_t v = at.first[POPS][gap]; v != ID_NONE; v = at.next[POPS][v]) {
            place_peeks(s, &at, at.before_pop[v]);
            place(s, c->life[v].remove);
        }
        for (uint32_t v = at.first[PAIRS][gap]; v != ID_NONE; v = at.next[PAIRS][v]) {
            place(s, c->life[v].add);
            place_peeks(s, &at, at.after_push[v]);
            place(s, c->life[v].remove);
        }
        place_peeks(s, &at, at.first[PEEKS][gap]);
        for (; e < c->empty_n && s->whole.x.empty[e] == gap; e++)
            place(s, c->empty[e]);
        for (uint32_t v = at.first[PUSHES][gap]; v != ID_NONE; v = at.next[PUSHES][v]) {
            place(s, c->life[v].add);
            place_peeks(s, &at, at.after_push[v]);
        }
        budget_tick(c->job->budget);
    }
}

/* ---- refutation ---- */

/* Values of a part that got stuck, made fewer; and the peeks that the proof needs. */
struct core {
    struct nest_part part;
    bool *values, *peeks;
};

static void explain(struct core *core)
{
    struct nest *x = &core->part.x;
    core->values = mem_new_zero(x->m, bool, x->values + 1);
    core->peeks = mem_new_zero(x->m, bool, x->peeks + 1);
    nest_why_stuck(x, core->values, core->peeks);
}

static void core_free(struct core *core)
{
    struct mem *m = core->part.x.m;
    mem_free(m, core->values);
    mem_free(m, core->peeks);
    nest_part_free(&core->part);
}

/* Does it get stuck with these values only? Then the core is what proves that, from now on. */
static bool narrow(struct core *core, const bool *values)
{
    for (bool stuck = false;; stuck = true) {
        struct core less = {.part = nest_select(&core->part, values)};
        if (nest_peel(&less.part.x)) {
            core_free(&less);
            return stuck;
        }
        explain(&less);
        core_free(core);
        *core = less;
        values = core->values;
        if (!memchr(values, false, core->part.x.values))
            return true;
    }
}

/* Tries to do without ever smaller shares of the values. Each success starts again with what is left. What is spent is
 * limited: enough to halve the core again and again, and then to try its values one by one while there are few. */
static void shrink(struct core *core)
{
    enum { FEW_EVENTS = 1 << 20 };
    uint64_t spent = 0, most = FEW_EVENTS + 8 * (uint64_t)core->part.x.n;
    for (uint32_t share = core->part.x.values / 2; share; share /= 2)
        for (uint32_t from = 0; from < core->part.x.values && spent < most;) {
            uint32_t n = core->part.x.values;
            bool *values = mem_new_zero(core->part.x.m, bool, n);
            for (uint32_t v = 0; v < n; v++)
                values[v] = v < from || v >= from + share;
            spent += core->part.x.n;
            from = narrow(core, values) ? 0 : from + share;
            mem_free(core->part.x.m, values);
        }
}

static void choose(struct stack *s, const struct core *core)
{
    struct collection *c = &s->c;
    const struct nest *x = &core->part.x;
    c->chosen_peek = mem_new_zero(c->job->mem, bool, c->part->n);
    uint32_t culprit = ID_NONE;
    for (uint32_t p = 0; p < x->peeks; p++)
        if (core->peeks[p]) {
            culprit = s->peeks_of.list[core->part.peek[p]];
            c->chosen_peek[culprit] = true;
        }
    uint32_t last = 0;
    for (uint32_t i = 0; i < x->values; i++) {
        uint32_t v = core->part.value[i];
        if (!core->values[i])
            continue;
        c->chosen[v] = true;
        if (c->life[v].remove != ID_NONE && c->life[v].remove_return > last) {
            last = c->life[v].remove_return;
            culprit = c->life[v].remove;
        }
    }
    collection_refute(c, PATTERN_NotNested, culprit);
}

static void refute(struct stack *s)
{
    struct collection *c = &s->c;
    struct core core = {.part = s->whole};
    bool *popped = mem_new_zero(c->job->mem, bool, c->n + 1);
    for (uint32_t v = 0; v < c->n; v++)
        popped[v] = c->life[v].remove != ID_NONE;
    explain(&core);
    if (!narrow(&core, c->pending_n ? popped : core.values)) {
        c->job->declined = "which values the pending pops took is open";
        return;
    }
    shrink(&core);
    choose(s, &core);
}

static void run_fast_stack(struct job *job)
{
    struct stack s = {0};
    if (!collection_read(&s.c, job) || !collection_check_empty(&s.c))
        return;
    struct nest *x = &s.whole.x;
    x->m = job->mem;
    x->budget = job->budget;
    x->keep_rounds = job->witness;
    lay_out(&s);
    uint32_t *empty = mem_new(job->mem, uint32_t, s.c.empty_n + 1);
    for (uint32_t e = 0; e < s.c.empty_n; e++)
        empty[e] = s.until[s.c.gap[e]];
    x->empty = empty;
    x->empty_n = s.c.empty_n;
    if (!nest_peel(x))
        refute(&s);
    else if (job->witness)
        witness(&s);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, "stack");
}

const struct engine engine_fast_stack = {
    .name = "fast-stack",
    .title = "stacks with distinct values, in near-linear time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_fast_stack,
};
