/* SPDX-License-Identifier: Apache-2.0 */
/* Levels (level.h) of recorded histories: one sweep over the calls, which moves the level only when an operation must
 * return.
 *
 * Idea. The sweep goes through the calls in the order of time. A test is linearized as soon as the level passes it. A
 * move waits until some operation x, the move itself or another one, would return without being linearized. Then there
 * are three cases:
 * - x is a test: moves towards its level are made, in the order of their returns.
 * - x is a move that is possible: it is made.
 * - x is a move that is not possible, because the level is at the end that x moves to. Then the move back that returns
 *   first is made, and then x.
 *
 * If a needed move is not open, the history up to the return of x has no linearization. A pending move is a move that
 * never returns. So it is made only when no other move can be, and it is left out in the end if it was not made.
 *
 * Correctness. Assume that no level strictly between 0 and the top fails a test. This holds if the top is 1, if there
 * are no tests, or if all tests are for a level above 0.
 *
 * Let L be a linearization that begins with the operations that the sweep has linearized so far. Claim: some
 * linearization begins with these operations and the next step of the sweep. Every operation that is not linearized yet
 * returns at or after the present moment. So each of them that has been called may be moved forward to the present
 * place in L.
 * - A test that the level passes can be moved to the present place, because it changes nothing.
 * - At an end of the scale, x is the next move of L or comes after it, be x a test or a move. Let e be this next move.
 *   Between the present place and e, L has no operation. It would be a test that passes now, so it was called after x
 *   returned; but then x comes first. So e has been called, or is x. The sweep makes the move d of the same direction,
 *   which returns no later than e. d and e can change places, because every operation that L has between them was
 *   called before d returned. (If L leaves d out, d is pending. Then e is pending as well, and d can take its place.)
 * - Between the ends, x is a move, because all tests pass. x changes places with the first move of its direction in L,
 *   as above. Before that first move, L has moves of the other direction, and no tests, as above. x can be moved to
 *   before them: x is possible here, and keeps the level farther from the end that they move to.
 *
 * With other tests, the order found is still a linearization. But the sweep may fail where a linearization exists. It
 * can be right to reach an end for the sake of a test, before a possible move leads away from that end. So the sweep
 * declines when it fails.
 *
 * Time: O(n log c) for n operations of which c overlap. The proof is this file's own. The rule that the earliest
 * deadline goes first is an old rule of scheduling (Jackson 1955). */
#include "scan/level.h"

#include "base/heap.h"

enum { UP, DOWN, AT_BOTTOM, AT_TOP, ABOVE, NOTHING }; /* roles of operations in the sweep */

struct tests {          /* tests of one role that are not linearized yet */
    VEC(uint32_t) list; /* places in the part */
    uint64_t first;     /* entry of the test that returns first */
};

struct sweep {
    struct job *job;
    const uint8_t *role;
    uint32_t at, top;
    VEC(uint64_t) moves[2];      /* open moves, ordered by return; UP and DOWN */
    struct tests tests[NOTHING]; /* by role */
    VEC(uint32_t) order;         /* the linearization so far; kept if a witness is asked for */
};

#define NO_ENTRY UINT64_MAX

/* The entry of an operation in the heaps: the pair (return, place in the part). */
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
    return test == ABOVE ? s->at > 0 : s->at == (test == AT_TOP ? s->top : 0);
}

static void linearize_tests(struct sweep *s)
{
    for (int test = AT_BOTTOM; test <= ABOVE; test++) {
        struct tests *t = &s->tests[test];
        if (!t->list.n || !passes(s, test))
            continue;
        for (uint32_t i = 0; i < t->list.n; i++)
            linearize(s, t->list.at[i]);
        vec_clear(&t->list);
        t->first = NO_ENTRY;
    }
}

/* Makes the move that returns first among the open moves of the direction. False: there is none, or it is not
 * possible. */
static bool move(struct sweep *s, int direction)
{
    if (!s->moves[direction].n || passes(s, direction == UP ? AT_TOP : AT_BOTTOM))
        return false;
    linearize(s, (uint32_t)heap_take(s->moves[direction].at, s->moves[direction].n--));
    s->at += direction == UP ? 1 : UINT32_MAX;
    linearize_tests(s);
    return true;
}

static bool linearize_by_return(struct sweep *s, uint32_t i)
{
    int role = s->role[i];
    if (role == UP || role == DOWN)
        return move(s, role) || (move(s, !role) && move(s, role));
    while (!passes(s, role))
        if (!move(s, role == AT_BOTTOM ? DOWN : UP))
            return false;
    return true;
}

/* The entry of the operation that returns first among the called operations that are not linearized. */
static uint64_t first_return(const struct sweep *s)
{
    uint64_t first = NO_ENTRY;
    for (int d = UP; d <= DOWN; d++)
        if (s->moves[d].n && s->moves[d].at[0] < first)
            first = s->moves[d].at[0];
    for (int test = AT_BOTTOM; test <= ABOVE; test++)
        if (s->tests[test].first < first)
            first = s->tests[test].first;
    return first;
}

static void call(struct sweep *s, uint32_t i)
{
    int role = s->role[i];
    uint64_t e = entry(s, i);
    if (role == UP || role == DOWN) {
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

/* Linearizes every operation that returns before the rank. Returns ID_NONE, or the operation that cannot be
 * linearized. */
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
        if (s->role[i] == NOTHING)
            continue;
        uint32_t stuck = linearize_until(s, s->job->calls->call[part->ops[i]]);
        if (stuck != ID_NONE)
            return stuck;
        call(s, i);
    }
    return linearize_until(s, CALLS_NEVER);
}

/* Was a test for an end of the scale called before the operation returned? Levels between the ends fail such a test. */
static bool has_end_tests(const struct sweep *s, uint32_t stuck)
{
    const struct calls *c = s->job->calls;
    const struct part *part = s->job->part;
    for (uint32_t i = 0; i < part->n && c->call[part->ops[i]] < c->ret[part->ops[stuck]]; i++)
        if (s->role[i] == AT_BOTTOM || s->role[i] == AT_TOP)
            return true;
    return false;
}

/* ---- roles ---- */

static enum level_answer answer_of(struct value v, struct truth truth)
{
    return v.kind == ASSAY_NONE     ? LEVEL_NO_ANSWER
           : v.kind == ASSAY_INT    ? LEVEL_NUMBER
           : truth_is(v, truth.yes) ? LEVEL_TRUE
           : truth_is(v, truth.no)  ? LEVEL_FALSE
                                    : LEVEL_OTHER;
}

static const char *read_role(struct level_role r, int64_t top, uint8_t *out)
{
    if (r.kind == LEVEL_UP_IF || r.kind == LEVEL_DOWN_IF || (r.kind == LEVEL_TEST && r.low > r.high))
        return "a call's result is not recorded, so whether it changed the object is unknown";
    if (r.kind != LEVEL_TEST)
        *out = r.kind == LEVEL_NOTHING ? NOTHING : r.kind == LEVEL_UP ? UP : DOWN;
    else if (r.high == 0)
        *out = AT_BOTTOM;
    else if (r.low == top)
        *out = AT_TOP;
    else if (r.low == 1 && r.high == LEVEL_NO_TOP)
        *out = ABOVE;
    else
        return "a call counts something above 0";
    return NULL;
}

static const char *read_roles(const struct job *job, const struct level_object *o, int64_t top, uint8_t *role)
{
    const history *h = job->h;
    struct truth truth = truth_of(h);
    const char *why = NULL;
    for (uint32_t i = 0; i < job->part->n && !why; i++) {
        uint32_t op = job->part->ops[i];
        struct value v = history_result(h, op);
        struct level_op what = {calls_method(job->calls, op), answer_of(v, truth), v.bits, history_pending(h, op)};
        why = read_role(o->role(&what, top), top, &role[i]);
    }
    return why;
}

void level_run(struct job *job, const struct level_object *o, int64_t start, int64_t top)
{
    uint8_t *role = mem_new(job->mem, uint8_t, job->part->n);
    struct sweep s = {
        .job = job, .role = role, .at = (uint32_t)start, .top = top == LEVEL_NO_TOP ? UINT32_MAX : (uint32_t)top};
    job->declined = read_roles(job, o, top, role);
    if (job->declined)
        return;
    for (int test = AT_BOTTOM; test <= ABOVE; test++)
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
