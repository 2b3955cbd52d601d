/* SPDX-License-Identifier: Apache-2.0 */
/* Linearizations of an object that is a level: one sweep over the calls that moves only when something must return.
 *
 * Idea: in the order of time, an operation that tests the level is linearized as soon as the level is right. A move
 * waits until it or another operation x would return without having been linearized. Then: if x is a test, moves towards
 * its level are made, the one that returns first first. If x is a move that is possible, it is made. If it is not, because
 * the level is at that end, one move back is made, the one that returns first, and then x. If a move that is
 * needed is not open, there is no linearization of what happened up to the return of x. A pending move is one that
 * returns never, so it is used when nothing else can be, and is left out in the end if it was not used.
 *
 * Why this is right, if no level between 0 and the top can fail a test (the top is 1, or there are no tests, or they all
 * are for a level above 0). Let L be a linearization that begins with what the sweep has linearized so far;
 * there is one that begins with its next step, too. All that is not linearized yet returns at or after the present moment,
 * so what has been called may be moved forward to this place in L.
 *   A test that the level passes can be moved forward to here: it changes nothing.
 *   At an end of the scale, x must come after the next move of L or be it, whatever x is. Let this move be e. Before e
 *   stands nothing: a test there would pass now, so it was called after x returned, and x comes first. So e has been
 *   called, or is x. The sweep makes the move d of the same direction, which returns no later than e; so d and e can
 *   change places, because whatever L has between them was called before d returned. (If L leaves d out, then d is
 *   pending, so e is as well, and d can take its place.)
 *   Between the ends x is a move, as all tests pass. It changes places with the first move of its direction in L,
 *   as above. Before it stand moves of the other direction (and no tests, as above), and x can be moved to before
 *   them: it is possible here, and keeps the level farther from the end that they move to.
 *
 * With other tests the way found is a linearization all the same; but it can be wise to reach an end for the sake of a test
 * before a possible move leads away from it, so the sweep may fail where there is a way. Then it declines.
 *
 * Time O(n log c) for n operations of which c overlap. The argument is this file's own; that what is due first goes
 * first is an old rule of scheduling (Jackson 1955). */
#include "object/level.h"

#include "base/heap.h"

struct tests { /* with one role; not linearized yet */
    VEC(uint32_t) list; /* places in the part */
    uint64_t first;     /* the one that returns first */
};

struct sweep {
    struct job *job;
    const uint8_t *role;
    uint32_t at, top;
    VEC(uint64_t) moves[2]; /* open, by return; LEVEL_UP, LEVEL_DOWN */
    struct tests tests[LEVEL_NOTHING]; /* by role */
    VEC(uint32_t) order;    /* what is linearized; kept if a witness is asked for */
};

#define NO_ENTRY UINT64_MAX

/* Operations by return: entries are pairs (return, place in the part). */
static uint64_t entry(const struct sweep *s, uint32_t i)
{
    return (uint64_t)s->job->calls->ret[s->job->part->ops[i]] << 32 | i;
}

static void linearize(struct sweep *s, uint32_t i)
{
    if (s->job->witness)
        vec_push(s->job->mem, &s->order, i);
}

static bool passes(const struct sweep *s, int test)
{
    return test == LEVEL_ABOVE ? s->at > 0 : s->at == (test == LEVEL_AT_TOP ? s->top : 0);
}

static void linearize_tests(struct sweep *s)
{
    for (int test = LEVEL_AT_BOTTOM; test <= LEVEL_ABOVE; test++) {
        struct tests *t = &s->tests[test];
        if (!t->list.n || !passes(s, test))
            continue;
        for (uint32_t i = 0; i < t->list.n; i++)
            linearize(s, t->list.at[i]);
        vec_clear(&t->list);
        t->first = NO_ENTRY;
    }
}

/* Makes the open move of the direction that returns first, if there is one and it is possible. */
static bool move(struct sweep *s, int direction)
{
    if (!s->moves[direction].n || passes(s, direction == LEVEL_UP ? LEVEL_AT_TOP : LEVEL_AT_BOTTOM))
        return false;
    linearize(s, (uint32_t)heap_take(s->moves[direction].at, s->moves[direction].n--));
    s->at += direction == LEVEL_UP ? 1 : UINT32_MAX;
    linearize_tests(s);
    return true;
}

static bool linearize_by_return(struct sweep *s, uint32_t i)
{
    int role = s->role[i];
    if (role == LEVEL_UP || role == LEVEL_DOWN)
        return move(s, role) || (move(s, !role) && move(s, role));
    while (!passes(s, role))
        if (!move(s, role == LEVEL_AT_BOTTOM ? LEVEL_DOWN : LEVEL_UP))
            return false;
    return true;
}

/* The operation that returns first among those that are not linearized. */
static uint64_t first_return(const struct sweep *s)
{
    uint64_t first = NO_ENTRY;
    for (int d = LEVEL_UP; d <= LEVEL_DOWN; d++)
        if (s->moves[d].n && s->moves[d].at[0] < first)
            first = s->moves[d].at[0];
    for (int test = LEVEL_AT_BOTTOM; test <= LEVEL_ABOVE; test++)
        if (s->tests[test].first < first)
            first = s->tests[test].first;
    return first;
}

static void call(struct sweep *s, uint32_t i)
{
    int role = s->role[i];
    uint64_t e = entry(s, i);
    if (role == LEVEL_UP || role == LEVEL_DOWN) {
        vec_reserve(s->job->mem, &s->moves[role], 1);
        heap_put(s->moves[role].at, s->moves[role].n++, e);
    } else if (passes(s, role)) {
        linearize(s, i);
    } else {
        struct tests *t = &s->tests[role];
        vec_push(s->job->mem, &t->list, i);
        t->first = e < t->first ? e : t->first;
    }
}

/* Linearizes what returns before the rank; ID_NONE, or what cannot be. */
static uint32_t linearize_until(struct sweep *s, uint32_t rank)
{
    for (uint64_t e = first_return(s); e >> 32 < rank; e = first_return(s))
        if (!linearize_by_return(s, (uint32_t)e))
            return (uint32_t)e;
    return ID_NONE;
}

static uint32_t run(struct sweep *s)
{
    const struct part *part = s->job->part;
    for (uint32_t i = 0; i < part->n; i++) {
        budget_tick(s->job->budget);
        if (s->role[i] == LEVEL_NOTHING)
            continue;
        uint32_t stuck = linearize_until(s, s->job->calls->call[part->ops[i]]);
        if (stuck != ID_NONE)
            return stuck;
        call(s, i);
    }
    return linearize_until(s, CALLS_NEVER);
}

/* Is there a test that a level between the ends fails, among what was called before the operation returned? */
static bool has_end_tests(const struct sweep *s, uint32_t stuck)
{
    const struct calls *c = s->job->calls;
    const struct part *part = s->job->part;
    for (uint32_t i = 0; i < part->n && c->call[part->ops[i]] < c->ret[part->ops[stuck]]; i++)
        if (s->role[i] == LEVEL_AT_BOTTOM || s->role[i] == LEVEL_AT_TOP)
            return true;
    return false;
}

void level_run(struct job *job, const uint8_t *role, uint32_t start, uint32_t top)
{
    struct sweep s = {.job = job, .role = role, .at = start, .top = top};
    for (int test = LEVEL_AT_BOTTOM; test <= LEVEL_ABOVE; test++)
        s.tests[test].first = NO_ENTRY;
    uint32_t stuck = run(&s);
    struct evidence *ev = &job->out->evidence;
    if (stuck != ID_NONE && top > 1 && has_end_tests(&s, stuck)) {
        job->declined = "of several ways to go on, the one it takes does not lead to a linearization";
    } else if (stuck != ID_NONE) {
        job->out->verdict = ASSAY_VIOLATION;
        evidence_part(ev, PATTERN_NoLinearization, job->part->ops[stuck], true);
    } else if (job->witness) {
        evidence_begin_order(ev, ASSAY_NO_THREAD);
        for (uint32_t i = 0; i < s.order.n; i++)
            evidence_place(ev, job->part->ops[s.order.at[i]]);
    }
}
