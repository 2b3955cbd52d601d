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

#include "scan/sweep.h"

enum { UP, DOWN, AT_BOTTOM, AT_TOP, ABOVE, NOTHING }; /* roles of operations in the sweep */

struct tests {          /* tests of one role that are not linearized yet */
    VEC(uint32_t) list; /* places in the part */
    uint64_t first;     /* entry of the test that returns first */
};

struct level_sweep {
    struct sweep sweep;
    const uint8_t *role;
    uint32_t at, top;
    struct sweep_heap moves[2];  /* open moves, ordered by return; UP and DOWN */
    struct tests tests[NOTHING]; /* by role */
};

#define NO_ENTRY UINT64_MAX

static bool passes(const struct level_sweep *s, int test)
{
    return test == ABOVE ? s->at > 0 : s->at == (test == AT_TOP ? s->top : 0);
}

static void linearize_tests(struct level_sweep *s)
{
    for (int test = AT_BOTTOM; test <= ABOVE; test++) {
        struct tests *t = &s->tests[test];
        if (!t->list.n || !passes(s, test))
            continue;
        for (uint32_t i = 0; i < t->list.n; i++)
            sweep_linearize(&s->sweep, t->list.at[i]);
        vec_clear(&t->list);
        t->first = NO_ENTRY;
    }
}

/* Makes the move that returns first among the open moves of the direction. False: there is none, or it is not
 * possible. */
static bool move(struct level_sweep *s, int direction)
{
    if (!s->moves[direction].of.n || passes(s, direction == UP ? AT_TOP : AT_BOTTOM))
        return false;
    sweep_linearize(&s->sweep, sweep_take(&s->moves[direction]));
    s->at += direction == UP ? 1 : UINT32_MAX;
    linearize_tests(s);
    return true;
}

static bool linearize_by_return(struct level_sweep *s, uint32_t i)
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
static uint64_t first_return(const struct level_sweep *s)
{
    uint64_t first = NO_ENTRY;
    for (int d = UP; d <= DOWN; d++)
        if (s->moves[d].of.n && s->moves[d].of.at[0] < first)
            first = s->moves[d].of.at[0];
    for (int test = AT_BOTTOM; test <= ABOVE; test++)
        if (s->tests[test].first < first)
            first = s->tests[test].first;
    return first;
}

static void call(void *own, uint32_t i)
{
    struct level_sweep *s = own;
    int role = s->role[i];
    if (role == NOTHING)
        return;
    uint64_t e = sweep_entry(&s->sweep, i);
    if (role == UP || role == DOWN) {
        sweep_put(&s->sweep, &s->moves[role], e);
    } else if (passes(s, role)) {
        sweep_linearize(&s->sweep, i);
    } else {
        struct tests *t = &s->tests[role];
        vec_push(s->sweep.job->mem, &t->list, i);
        t->first = e < t->first ? e : t->first;
    }
}

/* Linearizes every operation that returns before the rank. Returns ID_NONE, or the operation that cannot be
 * linearized. */
static uint32_t linearize_until(void *own, uint32_t rank)
{
    struct level_sweep *s = own;
    for (uint64_t e = first_return(s); e >> 32 < rank; e = first_return(s))
        if (!linearize_by_return(s, (uint32_t)e))
            return (uint32_t)e;
    return ID_NONE;
}

/* Was a test for an end of the scale called before the operation returned? Levels between the ends fail such a test. */
static bool has_end_tests(const struct level_sweep *s, uint32_t stuck)
{
    const struct calls *c = s->sweep.job->calls;
    const struct part *part = s->sweep.job->part;
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
    struct level_sweep s = {
        .sweep.job = job, .role = role, .at = (uint32_t)start, .top = top == LEVEL_NO_TOP ? UINT32_MAX : (uint32_t)top};
    job->declined = read_roles(job, o, top, role);
    if (job->declined)
        return;
    for (int test = AT_BOTTOM; test <= ABOVE; test++)
        s.tests[test].first = NO_ENTRY;
    uint32_t stuck = sweep_run(&s.sweep, linearize_until, call);
    if (stuck == ID_NONE)
        sweep_witness(&s.sweep);
    else if (top > 1 && has_end_tests(&s, stuck))
        job->declined = "of several ways to go on, the one it takes does not lead to a linearization";
    else
        sweep_refute(&s.sweep, stuck, false);
}
