/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-pqueue`: scan/fast_pqueue.c, forward in time.
 *
 * Idea (terms as in lifetimes.h). fast_pqueue.c proves that a history of a priority queue with distinct values is
 * linearizable iff two conditions hold:
 * - Each observation of a value v has a gap outside of the critical intervals of higher values. A remove needs this gap
 *   from s on, a peek from its call and the add's call on, both before their return.
 * - Each operation that found nothing has a gap outside of all critical intervals.
 * No condition on one operation speaks of another operation's gap. So two heaps are kept at each position of the line,
 * each with the highest priority on top. The heap `there` has the values whose critical interval contains the position.
 * The heap `waiting` has the observations that need a gap and have had none. While the top of `waiting` is not lower
 * than the top of `there`, the top of `waiting` has its gap and is taken out. An observation that returns while it
 * waits is a violation: at every moment some higher value was there.
 *
 * fast_pqueue.c remains beside it. It goes from the highest value down, so it needs all values at once, and is nearly
 * linear. Heaps go forward in time, at a logarithm for each event. They also find the first free gap of each
 * observation, but no witness: a value is added in the last free gap of one of its peeks (alpha), which a scan knows
 * when that peek returns, and the order within a gap is one of priorities.
 *
 * Forgetting. A value is needed until its critical interval ends, an observation until it returns. The critical
 * interval of a lower value does not end below that of a higher value. Otherwise the remove of the lower value is found
 * to be wrong. So entries that are over lie on top of their heap, except for values that were given up. These are swept
 * out when they are half of the entries. */
#include "scan/fault.h"
#include "scan/lifetimes.h"
#include "spec/roles.h"

struct ranked {
    int64_t priority;
    uint64_t called; /* identifies an observation, since its place is used again */
    uint32_t at;     /* a lifetime, or an observation */
};

struct ranking { /* a heap, the highest priority on top */
    VEC(struct ranked) heap;
};

enum { ADD_PASSED = LIFETIME_OWN };
enum { CONTENT = 1 }; /* observation.own */

struct pqueue {
    struct lifetimes lifetimes; /* the first field */
    bool least_first;
    struct ranking there;   /* lifetimes, held */
    struct ranking waiting; /* observations */
    VEC(uint32_t) early;    /* observations whose time has not begun */
    uint32_t given_up;      /* since the last sweep */
    uint32_t late;          /* of a violation: the lifetime */
    struct online_op late_op;
};

static int64_t priority(const struct pqueue *q, struct value v)
{
    return q->least_first ? ~v.bits : v.bits;
}

/* ---- heaps ---- */

static void ranking_put(struct mem *m, struct ranking *r, struct ranked x)
{
    vec_push(m, &r->heap, x);
    struct ranked *at = r->heap.at;
    uint32_t i = r->heap.n - 1;
    for (; i && at[(i - 1) / 2].priority < x.priority; i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = x;
}

static void ranking_drop_top(struct ranking *r)
{
    struct ranked *at = r->heap.at, last = at[--r->heap.n];
    uint32_t i = 0;
    for (uint32_t child = 1; child < r->heap.n; child = 2 * i + 1) {
        child += child + 1 < r->heap.n && at[child + 1].priority > at[child].priority;
        if (at[child].priority <= last.priority)
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = last;
}

static bool is_there(const struct pqueue *q, const struct ranked *x)
{
    return q->lifetimes.all.at[x->at].flags & LIFETIME_COUNTED;
}

static bool still_waits(const struct pqueue *q, const struct ranked *x)
{
    const struct observation *observation = &q->lifetimes.observations.at[x->at];
    return observation->op.called == x->called &&
           !(q->lifetimes.all.at[observation->lifetime].flags & LIFETIME_GIVEN_UP);
}

/* Takes the entries that are over out of a heap of lifetimes, or of observations. */
static void sweep(struct pqueue *q, struct ranking *r, bool lifetimes)
{
    uint32_t n = r->heap.n;
    r->heap.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct ranked x = r->heap.at[i];
        if (lifetimes ? is_there(q, &x) : still_waits(q, &x))
            ranking_put(q->lifetimes.mem, r, x);
        else if (lifetimes)
            lifetime_drop(&q->lifetimes, x.at);
    }
}

/* ---- gaps ---- */

static bool is_free_for(struct pqueue *q, int64_t p)
{
    while (q->there.heap.n && !is_there(q, &q->there.heap.at[0])) {
        lifetime_drop(&q->lifetimes, q->there.heap.at[0].at);
        ranking_drop_top(&q->there);
    }
    return !q->there.heap.n || q->there.heap.at[0].priority <= p;
}

/* Gives the gap behind the present position to the observations that can use it. */
static void use_gap(struct pqueue *q)
{
    for (; q->waiting.heap.n; ranking_drop_top(&q->waiting)) {
        struct ranked top = q->waiting.heap.at[0];
        if (!still_waits(q, &top))
            continue;
        if (!is_free_for(q, top.priority))
            break;
        q->lifetimes.observations.at[top.at].own = CONTENT;
    }
    q->lifetimes.watched = q->waiting.heap.n;
}

/* From now on the observation may have its gap. */
static void begin(struct pqueue *q, uint32_t at)
{
    const struct observation *observation = &q->lifetimes.observations.at[at];
    struct ranked x = {priority(q, observation->op.result), observation->op.called, at};
    ranking_put(q->lifetimes.mem, &q->waiting, x);
}

static bool begins(const struct pqueue *q, const struct observation *observation)
{
    const struct lifetime *v = &q->lifetimes.all.at[observation->lifetime];
    return observation->op.method == COLLECTION_PEEK ? v->flags & ADD_PASSED : v->flags & LIFETIME_PAST;
}

static void begin_early(struct pqueue *q, uint32_t lifetime)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->early.n; i++) {
        uint32_t at = q->early.at[i];
        const struct observation *observation = &q->lifetimes.observations.at[at];
        if (observation->lifetime == lifetime && begins(q, observation))
            begin(q, at);
        else
            q->early.at[kept++] = at;
    }
    q->early.n = kept;
}

static void forget_early(struct pqueue *q, uint32_t lifetime)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->early.n; i++)
        if (q->lifetimes.observations.at[q->early.at[i]].lifetime != lifetime)
            q->early.at[kept++] = q->early.at[i];
    q->early.n = kept;
}

/* ---- events ---- */

static bool returns(struct pqueue *q, const struct lifetimes_event *e)
{
    const struct observation *observation = &q->lifetimes.observations.at[e->observation];
    if (observation->own == CONTENT)
        return true;
    q->late = e->lifetime;
    q->late_op = observation->op;
    return false;
}

static void comes_in(struct pqueue *q, uint32_t lifetime)
{
    const struct lifetime *v = lifetime_at(&q->lifetimes, lifetime);
    if (v->flags & LIFETIME_COUNTED)
        ranking_put(q->lifetimes.mem, &q->there,
                    (struct ranked){priority(q, v->value), 0, lifetime_hold(&q->lifetimes, lifetime)});
}

static void is_called(struct pqueue *q, const struct lifetimes_event *e)
{
    if (e->kind == LIFETIMES_ADD_CALL)
        lifetime_at(&q->lifetimes, e->lifetime)->flags |= ADD_PASSED;
    else if (begins(q, &q->lifetimes.observations.at[e->observation]))
        begin(q, e->observation);
    else
        vec_push(q->lifetimes.mem, &q->early, e->observation);
    if (q->early.n)
        begin_early(q, e->lifetime);
}

static bool pass(void *state, const struct lifetimes_event *e)
{
    struct pqueue *q = state;
    if (e->kind == LIFETIMES_OBSERVATION_RETURN && !returns(q, e))
        return false;
    if (e->kind == LIFETIMES_COMES_IN)
        comes_in(q, e->lifetime);
    else if (e->kind != LIFETIMES_OBSERVATION_RETURN)
        is_called(q, e);
    use_gap(q);
    return true;
}

static void give_up(void *state, uint32_t lifetime)
{
    struct pqueue *q = state;
    forget_early(q, lifetime);
    if (++q->given_up * 2 > q->there.heap.n + q->waiting.heap.n) {
        sweep(q, &q->there, true);
        sweep(q, &q->waiting, false);
        q->given_up = 0;
    }
    use_gap(q);
}

/* ---- reports ---- */

static bool is_higher(const void *arg, const struct lifetime *v)
{
    const struct pqueue *q = arg;
    return priority(q, v->value) > priority(q, q->late_op.result);
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct pqueue *q = state;
    const struct lifetime *v = lifetime_at(&q->lifetimes, q->late);
    const struct online_op *op = &q->late_op;
    uint64_t from = op->method == COLLECTION_PEEK ? op->called : v->last.called;
    unsigned late = fault_op(out, m, op), add = lifetime_add_op(v, out, m);
    out->step = op->returned;
    out->pattern = "Overtaken";
    if (op->method == COLLECTION_REMOVE && v->flags & LIFETIME_LAST_PEEKS)
        text_printf(&out->why, "{%u} found the value of {%u} there, so it was not removed before that was called\n",
                    lifetime_last_op(v, out, m), add);
    lifetimes_explain_cover(&q->lifetimes, from > v->add.called ? from : v->add.called, op->returned, is_higher, q, out,
                            m);
    text_printf(
        &out->why,
        "{%u} returned the value of {%u}, but at every moment when it could have, one that goes first was there\n",
        late, add);
}

/* ---- the scan ---- */

static const struct lifetimes_scan lifetimes_scan = {pass, give_up, explain};

static void *open(const struct online_setup *s)
{
    struct pqueue *q = mem_new_zero(s->mem, struct pqueue, 1);
    lifetimes_open(&q->lifetimes, &lifetimes_scan, s);
    q->least_first = assay_value_same(s->setting.parameter, assay_word("min"));
    return q;
}

static void close(void *state)
{
    struct pqueue *q = state;
    struct mem *m = q->lifetimes.mem;
    lifetimes_close(&q->lifetimes);
    vec_free(m, &q->there.heap);
    vec_free(m, &q->waiting.heap);
    vec_free(m, &q->early);
    mem_free(m, q);
}

static void image(void *state, struct image *x)
{
    struct pqueue *q = state;
    struct mem *m = q->lifetimes.mem;
    lifetimes_image(&q->lifetimes, x);
    image_vec(x, m, &q->there.heap);
    image_vec(x, m, &q->waiting.heap);
    image_vec(x, m, &q->early);
    image_plain(x, &q->given_up);
}

static const struct scan scan = {
    .object = &spec_pqueue,
    .open = open,
    .close = close,
    .each_value = lifetimes_each_value,
    .live = lifetimes_count,
    .each_held = lifetimes_each_held,
    .image = image,
    LIFETIMES_SCAN,
};

HOLDBACK_MEMBER(exact_pqueue, "exact-pqueue", "priority queues whose values are distinct: the highest that is there",
                scan);
