/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-stack`: linearizability of a stack whose values are distinct, in O(n log n).
 *
 * Idea and proof are in nest.h: values are peeled off from outside. This file lays the tuned operations of a collection
 * out as a row of events, puts the witness together, and makes a refutation small.
 *
 * Operations that found the stack empty. Each of them needs a gap that no value covers, and collection.h finds one. By
 * the lemma of nest.h, if there is a linearization at all, there is one with an empty stack at all of these gaps. So
 * these gaps are used in round 0.
 *
 * Pending pops are left out at first. If that fails, a few values prove it. A pending pop must have taken one of them
 * that was never popped, if there is one. (Proofs from popped values alone are tried first.) So each pending pop is
 * tried for each of these values, in the same way. Such a pop begins where it was called, and does not end. If all
 * tries fail, the values of all proofs together are a violation. There may be many combinations, so tries are
 * limited. */
#include "scan/nest.h"
#include "search/collection_calls.h"

enum { MOST_TRIES = 100 }; /* choices of values that pending pops took */

struct stack {
    struct collection c;
    struct nest x;
    struct groups peeks_of; /* peeks of each value, as places; peek p is peeks_of.list[p] */
    uint32_t *until;        /* of each position: number of events up to there */

    bool *busy;           /* of each pending pop: it is assumed to have taken a value */
    uint32_t tries;       /* tries that are left */
    enum pattern pattern; /* of the first failure */
    uint32_t culprit;
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
        if (life->remove_return < c->end)
            s->until[life->remove_return]++;
    }
    for (uint32_t p = 0; p < s->x.peeks; p++) {
        struct peek_span span = peek_span(s, p, owner[p]);
        s->until[span.begin]++;
        s->until[span.end]++;
    }
    uint32_t sum = 0;
    for (uint32_t at = 0; at <= c->end; at++) {
        uint32_t here = s->until[at];
        s->until[at] = sum; /* number before this position; lay_out raises it as it puts events here */
        sum += here;
    }
    s->x.n = sum;
}

/* Puts the events into the row, by position. Tuning may have moved several ends of one value's operations to one
 * position: there, push, peeks and pop follow each other. */
static void lay_out(struct stack *s)
{
    const struct collection *c = &s->c;
    struct nest *x = &s->x;
    struct mem *m = c->job->mem;
    uint32_t *owner = NULL;
    if (c->peeked) {
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
        if (life->remove_return < c->end)
            events[until[life->remove_return]++] = nest_event(v, NEST_POP_END);
        budget_tick(c->job->budget);
    }
    x->events = events;
}

/* ---- witness ---- */

enum list { POPS, PAIRS, PEEKS, PUSHES, LISTS };

struct lists { /* operations at each gap */
    uint32_t *first[LISTS], *next[LISTS];
    uint32_t *after_push, *before_pop; /* of each value: its peeks at the gap of its push, of its pop */
};

static void prepend(struct lists *at, enum list list, uint32_t *first, uint32_t id)
{
    at->next[list][id] = *first;
    *first = id;
}

static struct lists fill_lists(struct stack *s, const struct nest_places *places)
{
    const struct nest *x = &s->x;
    struct lists at;
    for (int list = 0; list < LISTS; list++) {
        at.first[list] = mem_new_ids(x->m, (size_t)x->n + 1);
        at.next[list] = mem_new_ids(x->m, (size_t)(list == PEEKS ? x->peeks : x->values) + 1);
    }
    at.after_push = mem_new_ids(x->m, (size_t)x->values + 1);
    at.before_pop = mem_new_ids(x->m, (size_t)x->values + 1);
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
        prepend(&at, PEEKS,
                gap == places->push[v]  ? &at.after_push[v]
                : gap == places->pop[v] ? &at.before_pop[v]
                                        : &at.first[PEEKS][gap],
                p);
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
    struct nest_places places = nest_places(&s->x);
    struct lists at = fill_lists(s, &places);
    evidence_begin_order(&c->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t gap = 0, e = 0; gap <= s->x.n; gap++) {
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
        for (; e < c->empty_n && s->x.empty[e] == gap; e++)
            place(s, c->empty[e]);
        for (uint32_t v = at.first[PUSHES][gap]; v != ID_NONE; v = at.next[PUSHES][v]) {
            place(s, c->life[v].add);
            place_peeks(s, &at, at.after_push[v]);
        }
        budget_tick(c->job->budget);
    }
}

/* ---- proofs ---- */

struct loose {
    VEC(uint32_t) list;
};

static void choose(struct stack *s, uint32_t v, struct loose *loose)
{
    s->c.chosen[v] = true;
    if (s->c.life[v].remove == ID_NONE)
        vec_push(s->c.job->mem, &loose->list, v);
}

static void note_failure(struct stack *s, enum pattern pattern, uint32_t culprit)
{
    s->c.also[culprit] = true;
    if (s->pattern != PATTERN_NONE)
        return;
    s->pattern = pattern;
    s->culprit = culprit;
}

static void choose_full(struct stack *s, uint32_t culprit, struct loose *loose)
{
    struct collection *c = &s->c;
    bool *chosen = c->chosen, *here = c->chosen = mem_new_zero(c->job->mem, bool, c->n + 1);
    collection_choose_full(c, culprit);
    c->chosen = chosen;
    for (uint32_t v = 0; v < c->n; v++)
        if (here[v])
            choose(s, v, loose);
    mem_free(c->job->mem, here);
    note_failure(s, PATTERN_EmptyWhileFull, culprit);
}

/* Chooses the values of the core. The culprit is their last pop, or else a peek. */
static void choose_core(struct stack *s, const struct nest_core *core, struct loose *loose)
{
    const struct collection *c = &s->c;
    uint32_t culprit = ID_NONE, last = 0;
    for (uint32_t p = 0; p < core->x.peeks; p++)
        if (core->peeks[p]) {
            culprit = s->peeks_of.list[core->peek[p]];
            c->also[culprit] = true;
        }
    for (uint32_t i = 0; i < core->x.values; i++) {
        const struct life *life = &c->life[core->value[i]];
        choose(s, core->value[i], loose);
        if (life->remove_return < c->end && life->remove_return > last) {
            last = life->remove_return;
            culprit = life->remove;
        }
    }
    note_failure(s, PATTERN_NotNested, culprit);
}

static void choose_stuck(struct stack *s, struct loose *loose)
{
    const struct collection *c = &s->c;
    struct nest_core core = {.x = s->x};
    bool *popped = mem_new(c->job->mem, bool, c->n + 1);
    for (uint32_t v = 0; v < c->n; v++)
        popped[v] = c->life[v].remove != ID_NONE;
    if (!c->pending_n || !nest_core_narrow(&core, popped))
        core = nest_core_of(&s->x);
    nest_core_shrink(&core);
    choose_core(s, &core, loose);
    nest_core_free(&core);
    mem_free(c->job->mem, popped);
}

/* ---- pending pops ---- */

/* Is there a linearization with the pops as they are now? False: the values that prove it are added to the chosen ones,
 * and `loose` lists those of them that were never popped. */
static bool fits(struct stack *s, struct loose *loose)
{
    struct collection *c = &s->c;
    struct mem *m = c->job->mem;
    uint32_t culprit = collection_place_empty(c);
    if (culprit != ID_NONE) {
        choose_full(s, culprit, loose);
        return false;
    }
    s->x = (struct nest){.m = m, .budget = c->job->budget, .keep_rounds = c->job->witness};
    lay_out(s);
    uint32_t *empty = mem_new(m, uint32_t, c->empty_n + 1);
    for (uint32_t e = 0; e < c->empty_n; e++)
        empty[e] = s->until[c->gap[e]];
    mem_free(m, s->until);
    s->x.empty = empty;
    s->x.empty_n = c->empty_n;
    if (nest_peel(&s->x))
        return true;
    choose_stuck(s, loose);
    nest_free(&s->x);
    return false;
}

static uint32_t pop_begins(const struct stack *s, uint32_t v, uint32_t pop)
{
    const struct collection *c = &s->c;
    uint32_t last = c->call[pop] > c->life[v].add_call ? c->call[pop] : c->life[v].add_call;
    for (uint32_t p = c->peeked ? s->peeks_of.at[v] : 0; c->peeked && p < s->peeks_of.at[v + 1]; p++)
        last = c->call[s->peeks_of.list[p]] > last ? c->call[s->peeks_of.list[p]] : last;
    return last;
}

static bool explore(struct stack *s);

static bool explore_pop(struct stack *s, uint32_t v, uint32_t q)
{
    struct life *life = &s->c.life[v], before = *life;
    life->remove = s->c.pending[q];
    life->remove_call = pop_begins(s, v, life->remove);
    s->busy[q] = true;
    bool found = explore(s);
    s->busy[q] = false;
    if (!found)
        *life = before;
    return found;
}

/* Recursion is at most as deep as there are pending pops, and at most MOST_TRIES deep. */
static bool explore(struct stack *s)
{
    struct loose loose = {0};
    s->tries--;
    bool found = fits(s, &loose);
    for (uint32_t i = 0; i < loose.list.n && !found; i++)
        for (uint32_t q = 0; q < s->c.pending_n && !found && s->tries; q++)
            if (!s->busy[q])
                found = explore_pop(s, loose.list.at[i], q);
    mem_free(s->c.job->mem, loose.list.at);
    return found;
}

static void run_fast_stack(struct job *job)
{
    struct stack s = {.culprit = ID_NONE};
    struct collection *c = &s.c;
    if (!collection_read(c, job))
        return;
    if (c->peeked)
        s.peeks_of = collection_peeks(c);
    s.tries = MOST_TRIES;
    s.busy = mem_new_zero(job->mem, bool, c->pending_n + 1);
    c->also = mem_new_zero(job->mem, bool, c->part->n);
    if (explore(&s)) {
        if (job->witness)
            witness(&s);
    } else if (s.tries) {
        c->settled = true;
        collection_refute(c, s.pattern, s.culprit);
    } else {
        job->declined = "there are too many ways for pending pops to have taken values";
    }
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
