/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and semaphores with tags (tagged.h): one sweep over the calls in the order of time.
 *
 * Idea. A release goes with the take of its tag. Where a tag is used again, the k-th goes with the k-th, if neither
 * takes nor releases of the tag overlap. So each holder has its own release. A take waits until it would return without
 * being linearized, and so does a release. A holder whose release is open can be released at any time: it is soft, the
 * others are hard. A take and its release that are both open, a pair, need a moment at which there is room. Pairs are
 * linearized before hard holders leave no room for them.
 *
 * Correctness, as long as no attempt has failed. A hard holder was linearized because it returned, or its release did
 * not exist. So it returned before now, its release is called after now, and it holds now in each linearization. The
 * sweep fails in three cases.
 * - A take returns, and there are `top` hard holders: `top` + 1 hold it in each linearization.
 * - A pair must go, and there are `top` hard holders. All pairs were linearized when these had become so many. So the
 *   pair is younger than that, and there has been no room since.
 * - A release returns, and its take has not been called.
 *
 * A failed attempt needs a moment at which `top` hold it. The sweep makes holders for it where it can, as late as it
 * can, and not in every way. So after a failed attempt the sweep declines when it fails.
 *
 * Time: O(n log c) for n operations of which c overlap. */
#include "scan/tagged.h"

#include "history/value_map.h"
#include "scan/sweep.h"
#include "spec/roles.h"

_Static_assert((int)LOCK_LOCK == (int)TAGGED_TAKE && (int)SEMAPHORE_ACQUIRE == (int)TAGGED_TAKE, "one numbering");
_Static_assert((int)LOCK_UNLOCK == (int)TAGGED_RELEASE && (int)SEMAPHORE_RELEASE == (int)TAGGED_RELEASE, "the same");
_Static_assert((int)LOCK_TRY == (int)TAGGED_TRY && (int)SEMAPHORE_TRY == (int)TAGGED_TRY, "the same");

enum { TAKE, RELEASE, TEST, NOTHING, IMPOSSIBLE }; /* roles; NOTHING: it never returned, and may not have happened */

struct tagged {
    struct sweep sweep;
    uint8_t *role;
    uint32_t *partner; /* of a take its release, and the other way round; or ID_NONE */
    bool *called, *done;
    uint32_t top, held, hard;
    struct sweep_heap due;   /* called operations, by return; some are done */
    struct sweep_heap soft;  /* open releases of holders, by return; some are done */
    struct sweep_heap pairs; /* open releases whose takes are open, by the return of either; some are done */
    VEC(uint32_t) tests;     /* not linearized */
};

static uint32_t return_of(const struct tagged *s, uint32_t i)
{
    return sweep_return(&s->sweep, i);
}

static void put(struct tagged *s, struct sweep_heap *h, uint32_t rank, uint32_t i)
{
    sweep_put(&s->sweep, h, (uint64_t)rank << 32 | i);
}

/* The first that is not done, which stays there; ID_NONE: none. */
static uint32_t first_of(struct tagged *s, struct sweep_heap *h)
{
    while (h->of.n && s->done[(uint32_t)h->of.at[0]])
        sweep_take(h);
    return h->of.n ? (uint32_t)h->of.at[0] : ID_NONE;
}

/* ---- steps ---- */

static void linearize(struct tagged *s, uint32_t i)
{
    s->done[i] = true;
    sweep_linearize(&s->sweep, i);
}

static void linearize_tests(struct tagged *s)
{
    for (uint32_t k = 0; k < s->tests.n && s->held == s->top; k++)
        linearize(s, s->tests.at[k]);
    if (s->held == s->top)
        vec_clear(&s->tests);
}

static bool is_open(const struct tagged *s, uint32_t i)
{
    return i != ID_NONE && s->called[i] && !s->done[i];
}

static void release(struct tagged *s, uint32_t i)
{
    linearize(s, i);
    s->held--;
}

/* There is room. */
static void take(struct tagged *s, uint32_t i)
{
    linearize(s, i);
    s->held++;
    if (is_open(s, s->partner[i]))
        put(s, &s->soft, return_of(s, s->partner[i]), s->partner[i]);
    else
        s->hard++;
    linearize_tests(s);
}

static bool make_room(struct tagged *s)
{
    if (s->held < s->top)
        return true;
    uint32_t i = first_of(s, &s->soft);
    if (i == ID_NONE)
        return false;
    release(s, i);
    return true;
}

/* All pairs go while there is room. */
static void flush_pairs(struct tagged *s)
{
    for (uint32_t i; (i = first_of(s, &s->pairs)) != ID_NONE;) {
        if (!s->done[s->partner[i]])
            take(s, s->partner[i]);
        release(s, i);
    }
}

static bool force_take(struct tagged *s, uint32_t i)
{
    if (!make_room(s))
        return false;
    if (!is_open(s, s->partner[i]) && s->hard + 1 == s->top)
        flush_pairs(s);
    take(s, i);
    return true;
}

static bool force_release(struct tagged *s, uint32_t i)
{
    uint32_t its = s->partner[i];
    if (!s->done[its] && !(is_open(s, its) && force_take(s, its)))
        return false;
    release(s, i);
    return true;
}

/* Makes holders until no more are possible; takes whose release is open first. */
static bool force_test(struct tagged *s, uint32_t test)
{
    while (s->held < s->top) {
        uint32_t i = first_of(s, &s->pairs), next = ID_NONE;
        if (i != ID_NONE && !s->done[s->partner[i]]) {
            take(s, s->partner[i]);
            continue;
        }
        for (uint32_t k = 0; k < s->due.of.n; k++) {
            uint32_t other = (uint32_t)s->due.of.at[k];
            if (s->role[other] == TAKE && is_open(s, other) &&
                (next == ID_NONE || return_of(s, other) < return_of(s, next)))
                next = other;
        }
        if (next == ID_NONE)
            return false;
        take(s, next);
    }
    return s->done[test];
}

static bool force(void *own, uint32_t i)
{
    struct tagged *s = own;
    return s->role[i] == TAKE ? force_take(s, i) : s->role[i] == RELEASE ? force_release(s, i) : force_test(s, i);
}

static void call(void *own, uint32_t i)
{
    struct tagged *s = own;
    uint32_t other = s->partner[i];
    if (s->role[i] == NOTHING)
        return;
    s->called[i] = true;
    put(s, &s->due, return_of(s, i), i);
    if (s->role[i] == TEST) {
        vec_push(s->sweep.job->mem, &s->tests, i);
        linearize_tests(s);
    } else if (is_open(s, other)) {
        uint32_t its = s->role[i] == RELEASE ? i : other, a = return_of(s, i), b = return_of(s, other);
        put(s, &s->pairs, a < b ? a : b, its);
    } else if (s->role[i] == RELEASE && s->done[other]) {
        s->hard--;
        put(s, &s->soft, return_of(s, i), i);
    }
}

static uint32_t until(void *own, uint32_t rank)
{
    struct tagged *s = own;
    return sweep_due(&s->sweep, &s->due, s->done, rank, force);
}

/* ---- reading ---- */

struct tag {
    uint32_t first_take, last_take, last_release; /* first: the next that a release goes with */
    bool overlaps;
};

struct reading {
    struct tagged *s;
    struct value_map numbers;
    VEC(struct tag) tags;
    uint32_t *next_take; /* of the same tag */
    uint32_t unnamed;    /* pending releases */
    uint32_t kept;       /* takes without a release: those that returned, and those that could be matched instead */
    uint32_t orphan;     /* the first release without a take, or ID_NONE */
};

static struct tag *tag_of(struct reading *r, struct value v)
{
    struct mem *m = r->s->sweep.job->mem;
    uint32_t *at = value_map_at(m, &r->numbers, v);
    if (*at == ID_NONE) {
        *at = r->tags.n;
        vec_push(m, &r->tags, ((struct tag){ID_NONE, ID_NONE, ID_NONE, false}));
    }
    return &r->tags.at[*at];
}

static bool after(const struct tagged *s, uint32_t earlier, uint32_t i)
{
    return earlier == ID_NONE || return_of(s, earlier) < s->sweep.job->calls->call[sweep_op(&s->sweep, i)];
}

static void read_take(struct reading *r, uint32_t i, struct value v)
{
    if (v.kind == ASSAY_NONE)
        return;
    struct tag *t = tag_of(r, v);
    t->overlaps |= !after(r->s, t->last_take, i);
    if (t->last_take == ID_NONE)
        t->first_take = i;
    else
        r->next_take[t->last_take] = i;
    t->last_take = i;
}

static const char *read_release(struct reading *r, uint32_t i, struct value v)
{
    if (v.kind == ASSAY_NONE)
        return "some releases return a tag, and others do not";
    struct tag *t = tag_of(r, v);
    if (t->overlaps || !after(r->s, t->last_release, i))
        return "calls with the same tag overlap";
    t->last_release = i;
    if (t->first_take == ID_NONE) {
        r->orphan = r->orphan == ID_NONE ? i : r->orphan;
        return NULL;
    }
    r->s->partner[i] = t->first_take;
    r->s->partner[t->first_take] = i;
    t->first_take = r->next_take[t->first_take];
    return NULL;
}

static int role_of(const struct job *job, uint32_t i, const struct truth *truth)
{
    uint32_t op = job->part->ops[i];
    unsigned method = calls_method(job->calls, op);
    if (method != TAGGED_TRY)
        return method == TAGGED_TAKE ? TAKE : RELEASE;
    struct value v = history_result(job->h, op);
    bool took = history_pending(job->h, op) || truth_is(v, truth->yes);
    return took ? TAKE : truth_is(v, truth->no) ? TEST : IMPOSSIBLE;
}

static const char *read_part(struct reading *r)
{
    struct tagged *s = r->s;
    const struct job *job = s->sweep.job;
    struct truth truth = truth_of(job->h);
    const char *why = NULL;
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        s->role[i] = (uint8_t)role_of(job, i, &truth);
        s->partner[i] = r->next_take[i] = ID_NONE;
        if (s->role[i] == IMPOSSIBLE)
            why = "the result of an attempt is neither true nor false";
        if (s->role[i] == TAKE)
            read_take(r, i, history_arity(job->h, op) ? history_arg(job->h, op, 0) : (struct value){0});
        if (s->role[i] == RELEASE && history_pending(job->h, op)) {
            s->role[i] = NOTHING;
            r->unnamed++;
        }
    }
    for (uint32_t i = 0; i < job->part->n && !why; i++)
        if (s->role[i] == RELEASE)
            why = read_release(r, i, history_result(job->h, job->part->ops[i]));
    for (uint32_t i = 0; i < job->part->n && !why; i++)
        if (s->role[i] == TAKE && s->partner[i] == ID_NONE) {
            bool pending = history_pending(job->h, job->part->ops[i]);
            s->role[i] = pending ? NOTHING : TAKE;
            r->kept += !pending || history_arity(job->h, job->part->ops[i]);
        }
    return why ? why : r->unnamed && r->kept ? "a release that never returned may have released several" : NULL;
}

bool tagged_part(const struct job *job)
{
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        if (calls_method(job->calls, op) == TAGGED_RELEASE && history_result(job->h, op).kind != ASSAY_NONE)
            return true;
    }
    return false;
}

bool tagged_op(const struct online_op *op)
{
    return op->method == TAGGED_RELEASE && op->result.kind != ASSAY_NONE;
}

/* ---- results ---- */

static bool has_failed_tests(const struct tagged *s)
{
    for (uint32_t k = 0; k < s->sweep.job->part->n; k++)
        if (s->role[k] == TEST && s->called[k])
            return true;
    return false;
}

/* The history up to its return is the proof. A release that never returned could release a hard holder there, whose own
 * release is called later. Then the proof must reach up to that. */
static uint32_t culprit_of(const struct tagged *s, uint32_t stuck, bool unnamed)
{
    uint32_t culprit = stuck;
    for (uint32_t i = 0; i < s->sweep.job->part->n && unnamed; i++) {
        uint32_t other = s->partner[i];
        bool later = s->role[i] == TAKE && s->called[i] && other != ID_NONE && !s->called[other];
        if (later && return_of(s, other) > return_of(s, culprit))
            culprit = other;
    }
    return culprit;
}

void tagged_run(struct job *job, uint32_t top)
{
    struct mem *m = job->mem;
    uint32_t n = job->part->n;
    struct tagged s = {.sweep.job = job, .top = top};
    s.role = mem_new(m, uint8_t, n + 1);
    s.partner = mem_new(m, uint32_t, n + 1);
    s.called = mem_new_zero(m, bool, n + 1);
    s.done = mem_new_zero(m, bool, n + 1);
    struct reading r = {.s = &s, .next_take = mem_new(m, uint32_t, n + 1), .orphan = ID_NONE};
    job->declined = read_part(&r);
    if (job->declined)
        return;
    if (r.orphan != ID_NONE) {
        sweep_refute(&s.sweep, r.orphan, true);
        return;
    }
    uint32_t stuck = sweep_run(&s.sweep, until, call);
    if (stuck == ID_NONE) {
        sweep_witness(&s.sweep);
    } else if (has_failed_tests(&s)) {
        job->declined = "of several ways to go on, the one it takes does not lead to a linearization";
    } else {
        uint32_t culprit = culprit_of(&s, stuck, r.unnamed);
        sweep_refute(&s.sweep, culprit, culprit != stuck);
    }
}
