/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-counter`: counters whose steps are all of the same size, in O(n log n). Increments and reads are
 * the common case. A counter that changes by different amounts is for the search. There the open additions that make up
 * the value of a read are a subset sum.
 *
 * Idea. The value of the counter is the number of steps so far, its level. A read is a test of the level. A step with a
 * recorded result is pinned: it is the step that leads to that level. A fetch-add returns the old level, so it leads to
 * the next one. The sweep goes through the calls in the order of time and makes a step only when an operation would
 * return without being linearized. The level goes up only, so the lowest level is the best one. A read of a higher
 * level can be explained later, and a read of a lower level cannot be explained at all.
 * - A test is linearized as soon as the level is its own. If it returns earlier, steps are made up to its level.
 * - A step that returns is made, and pinned steps that have been called and come before it are made before it.
 * - The step to a level is a pinned step to that level, if one has been called. Else it is the open step that
 *   returns first among the steps that are not pinned. A pending step returns last of all, and is left out if it was
 *   not made.
 *
 * Correctness. Let L be a linearization. Claim: at no return has L made fewer steps than the sweep, and L can be
 * changed so that it makes the same steps. Steps that are not pinned are interchangeable. At the same level, let L
 * make the step e and the sweep the step d, which has been called and returns no later than e. If L makes d later, the
 * two change places, as twins do (wgl.c). If L leaves d out, then d is pending, so e is pending too and d takes its
 * place. A pinned step has one place only. So the two agree step by step, and the sweep makes a step only when an
 * operation demands it of L as well. If an operation is stuck, its level has been passed before its call, or there is
 * no step to go on with. Then L does not exist.
 *
 * The refutation is the history up to the return of the stuck operation. But a pinned step that the sweep made and
 * that returns still later must be part of it. Else it might as well be left out, and the level would be lower.
 *
 * The proof is this file's own. */
#include "base/heap.h"
#include "search/plain_part.h"
#include "spec/roles.h"

#define NO_LEVEL UINT32_MAX /* a level that is never reached */

enum role { STEP, PINNED, TEST, NOTHING };

struct counter_op {
    enum role role;
    uint32_t level; /* of a test; of a pinned step, the level after it */
};

struct sweep {
    struct job *job;
    const uint32_t *ret;
    struct counter_op *op; /* by place in the part */
    bool *done;
    uint32_t level;
    VEC(uint64_t) steps;    /* open steps that are not pinned, ordered by return */
    VEC(uint64_t) due;      /* open operations, ordered by return; some are done */
    uint32_t *waiting;      /* of each level: the list of its open tests and pinned steps; ID_NONE: none */
    uint32_t *next;         /* in that list */
    uint32_t most;          /* no level is above this one */
    uint32_t latest_pinned; /* the pinned step made so far that returns last, or ID_NONE */
    VEC(uint32_t) order;
};

static uint64_t entry(const struct sweep *s, uint32_t i)
{
    return (uint64_t)s->ret[s->job->part->ops[i]] << 32 | i;
}

static void put(struct sweep *s, uint32_t i, bool step)
{
    if (step) {
        vec_reserve(s->job->mem, &s->steps, 1);
        heap_put(s->steps.at, s->steps.n++, entry(s, i));
    }
    if (s->ret[s->job->part->ops[i]] == CALLS_NEVER)
        return;
    vec_reserve(s->job->mem, &s->due, 1);
    heap_put(s->due.at, s->due.n++, entry(s, i));
}

static void linearize(struct sweep *s, uint32_t i)
{
    s->done[i] = true;
    if (s->job->witness)
        vec_push(s->job->mem, &s->order, i);
}

/* Linearizes the open tests of the present level. */
static void pass_tests(struct sweep *s)
{
    for (uint32_t i = s->waiting[s->level]; i != ID_NONE; i = s->next[i])
        if (s->op[i].role == TEST && !s->done[i])
            linearize(s, i);
}

/* The open step that is pinned to the level and returns first, or ID_NONE. */
static uint32_t pinned_to(const struct sweep *s, uint32_t level)
{
    uint32_t first = ID_NONE;
    for (uint32_t i = s->waiting[level]; i != ID_NONE; i = s->next[i])
        if (s->op[i].role == PINNED && (first == ID_NONE || entry(s, i) < entry(s, first)))
            first = i;
    return first;
}

static bool later(const struct sweep *s, uint32_t i, uint32_t than)
{
    return than == ID_NONE || entry(s, i) > entry(s, than);
}

/* Makes the step to the next level. False: there is none. */
static bool make_step(struct sweep *s)
{
    if (s->level == s->most)
        return false;
    uint32_t step = pinned_to(s, s->level + 1);
    if (step == ID_NONE && !s->steps.n)
        return false;
    if (step == ID_NONE)
        step = (uint32_t)heap_take(s->steps.at, s->steps.n--);
    else if (later(s, step, s->latest_pinned))
        s->latest_pinned = step;
    linearize(s, step);
    s->level++;
    pass_tests(s);
    return true;
}

/* Linearizes the operation, which returns next. False: it is stuck. */
static bool linearize_by_return(struct sweep *s, uint32_t i)
{
    const struct counter_op *o = &s->op[i];
    if (o->role != STEP && (o->level == NO_LEVEL || o->level <= s->level))
        return false;
    while (!s->done[i] && (o->role == STEP || s->level < o->level))
        if (!make_step(s))
            return false;
    return s->done[i];
}

static void call(struct sweep *s, uint32_t i)
{
    const struct counter_op *o = &s->op[i];
    put(s, i, o->role == STEP);
    if (o->role == STEP || o->level == NO_LEVEL)
        return;
    s->next[i] = s->waiting[o->level];
    s->waiting[o->level] = i;
    if (o->role == TEST && o->level == s->level)
        linearize(s, i);
}

/* Linearizes all operations that return before the rank. Returns the one that is stuck, or ID_NONE. */
static uint32_t linearize_until(struct sweep *s, uint32_t rank)
{
    while (s->due.n && s->due.at[0] >> 32 < rank) {
        uint32_t i = (uint32_t)heap_take(s->due.at, s->due.n--);
        if (!s->done[i] && !linearize_by_return(s, i))
            return i;
    }
    return ID_NONE;
}

static uint32_t run_sweep(struct sweep *s)
{
    const struct part *part = s->job->part;
    for (uint32_t i = 0; i < part->n; i++) {
        budget_tick(s->job->budget);
        uint32_t stuck = linearize_until(s, s->job->calls->call[part->ops[i]]);
        if (stuck != ID_NONE)
            return stuck;
        if (s->op[i].role != NOTHING)
            call(s, i);
        else if (s->ret[part->ops[i]] != CALLS_NEVER)
            linearize(s, i);
    }
    return linearize_until(s, CALLS_NEVER);
}

/* ---- reading ---- */

struct scale {
    int64_t start, step; /* level l is the value start + l * step */
    uint32_t steps;
};

static int64_t change_of(const struct job *job, uint32_t op)
{
    switch (calls_method(job->calls, op)) {
    case COUNTER_INC: return 1;
    case COUNTER_DEC: return -1;
    case COUNTER_ADD:
    case COUNTER_FETCH_ADD: return history_arg(job->h, op, 0).bits;
    }
    return 0;
}

/* Finds the size of the steps. Returns the reason why there is none, or NULL. */
static const char *read_scale(const struct job *job, struct scale *x)
{
    int64_t way, end;
    *x = (struct scale){.start = plain_initial_number(job, 0), .step = 1};
    for (uint32_t i = 0; i < job->part->n; i++) {
        int64_t change = change_of(job, job->part->ops[i]);
        if (change && x->steps && change != x->step)
            return "the counter changes by different amounts";
        if (change)
            x->step = change;
        x->steps += change != 0;
    }
    bool leaves = x->step == INT64_MIN || __builtin_mul_overflow(x->step, (int64_t)x->steps, &way) ||
                  __builtin_add_overflow(x->start, way, &end);
    return leaves ? "the counter may leave the numbers of 64 bits" : NULL;
}

static uint32_t level_of(const struct scale *x, struct value v)
{
    int64_t way;
    bool within = v.kind == ASSAY_INT && !__builtin_sub_overflow(v.bits, x->start, &way);
    if (!within || (way == INT64_MIN && x->step == -1) || way % x->step || way / x->step < 0 ||
        way / x->step > x->steps)
        return NO_LEVEL;
    return (uint32_t)(way / x->step);
}

static struct counter_op read_op(const struct job *job, const struct scale *x, uint32_t op)
{
    struct value answer = history_result(job->h, op);
    bool changes = change_of(job, op) != 0, pending = history_pending(job->h, op);
    struct counter_op o = {.level = level_of(x, answer)};
    if (pending || answer.kind == ASSAY_NONE)
        o.role = changes ? STEP : NOTHING;
    else
        o.role = changes ? PINNED : TEST;
    if (o.role == PINNED && calls_method(job->calls, op) == COUNTER_FETCH_ADD && o.level != NO_LEVEL)
        o.level = o.level < x->steps ? o.level + 1 : NO_LEVEL;
    return o;
}

static void refute(struct sweep *s, uint32_t stuck)
{
    struct evidence *ev = &s->job->out->evidence;
    bool pinned = s->latest_pinned != ID_NONE && later(s, s->latest_pinned, stuck);
    s->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, s->job->part->ops[pinned ? s->latest_pinned : stuck], true);
    ev->tied = pinned; /* the history may be refuted before that step returns */
}

static void witness(struct sweep *s)
{
    evidence_begin_order(&s->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < s->order.n; i++)
        evidence_place(&s->job->out->evidence, s->job->part->ops[s->order.at[i]]);
}

static void run(struct job *job)
{
    const struct part *part = job->part;
    struct scale scale;
    job->declined = read_scale(job, &scale);
    if (job->declined)
        return;
    struct sweep s = {.job = job,
                      .ret = job->calls->ret,
                      .op = mem_new(job->mem, struct counter_op, part->n + 1),
                      .done = mem_new_zero(job->mem, bool, part->n + 1),
                      .waiting = mem_new_ids(job->mem, (size_t)scale.steps + 1),
                      .next = mem_new_ids(job->mem, part->n + 1),
                      .most = scale.steps,
                      .latest_pinned = ID_NONE};
    for (uint32_t i = 0; i < part->n; i++)
        s.op[i] = read_op(job, &scale, part->ops[i]);
    uint32_t stuck = run_sweep(&s);
    if (stuck != ID_NONE)
        refute(&s, stuck);
    else if (job->witness)
        witness(&s);
}

static const char *declines(const struct job *job)
{
    return plain_is(job, "counter") ? plain_order(job) : "the object is not a counter";
}

const struct engine engine_fast_counter = {
    .name = "fast-counter",
    .title = "counters that change by one amount: one sweep",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
