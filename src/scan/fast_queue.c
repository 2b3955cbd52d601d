/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-queue`: linearizability of a queue whose values are distinct, in linear time. It feeds the scan of
 * scan_queue.h with the positions of collection.h, and keeps the moments at which values leave for the witness. */
#include "scan/scan_queue.h"
#include "search/collection_calls.h"

/* Entries of the tables by position: twice the value, plus one for a return. */
#define NOTHING ID_NONE

struct recorded_queue {
    struct queue_scan scan;
    struct collection c;
    uint32_t *adds;         /* add_call, add_return */
    uint32_t *observations; /* s, f */
    uint32_t *first_return; /* f of each value */
    uint32_t now;           /* the present moment */
    uint32_t *left, *when;  /* values in the order in which they left, and the moments; NULL: no witness is wanted */
    uint32_t left_n;
};

static void note_leaving(void *driver, uint32_t v)
{
    struct recorded_queue *q = driver;
    q->left[q->left_n] = v;
    q->when[q->left_n++] = q->now;
}

static void prepare(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    q->adds = mem_new_ids(m, (size_t)c->end + 1);
    q->observations = mem_new_ids(m, (size_t)c->end + 1);
    q->first_return = mem_new(m, uint32_t, c->n);
    queue_open(&q->scan, m);
    if (c->job->witness) {
        q->left = mem_new(m, uint32_t, c->n);
        q->when = mem_new(m, uint32_t, c->n);
        q->scan.leaves = note_leaving;
        q->scan.driver = q;
    }
    for (uint32_t v = 0; v < c->n; v++) {
        queue_begin(&q->scan, v);
        q->first_return[v] = c->life[v].remove_return;
    }
    for (uint32_t i = 0; c->peeked && i < c->part->n; i++) {
        uint32_t v = c->value[i];
        if (v != ID_NONE && i != c->life[v].add && c->ret[i] < q->first_return[v])
            q->first_return[v] = c->ret[i];
    }
    for (uint32_t v = 0; v < c->n; v++) {
        const struct life *life = &c->life[v];
        q->adds[life->add_call] = 2 * v;
        q->adds[life->add_return] = 2 * v + 1;
        if (life->remove_call < c->end)
            q->observations[life->remove_call] = 2 * v;
        if (q->first_return[v] < c->end)
            q->observations[q->first_return[v]] = 2 * v + 1;
    }
}

/* Moments are numbered, too: 2 p comes right after position p, 2 p + 1 later in the same gap. */
static uint32_t right_after(uint32_t position)
{
    return 2 * position;
}

static uint32_t right_before(uint32_t position)
{
    return 2 * position - 1;
}

/* scan_queue.h names the cases. */
static bool refute(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    uint32_t v = q->scan.late, stop = q->scan.stop, owner = q->scan.owner;
    uint32_t f = q->first_return[v], culprit = c->life[v].remove;
    bool in_zone = owner != ID_NONE, with_owner = in_zone && c->life[v].remove_call > q->first_return[owner];
    c->chosen[v] = true;
    if (!with_owner) {
        c->chosen[stop] = true;
        with_owner = in_zone && c->life[stop].remove_call < f;
    }
    if (with_owner)
        c->chosen[owner] = true;
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->ret[i] == f)
            culprit = i;
    collection_refute(c, PATTERN_OrderReversed, culprit);
    return false;
}

static void pass_add(struct recorded_queue *q, uint32_t event)
{
    if (event & 1)
        queue_comes_in(&q->scan, event / 2);
    else
        queue_add_call(&q->scan, event / 2);
}

static bool scan(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    for (uint32_t at = 0; at < c->end; at++) {
        uint32_t observation = q->observations[at];
        budget_tick(c->job->budget);
        if (q->adds[at] != NOTHING)
            pass_add(q, q->adds[at]);
        if (observation == NOTHING)
            continue;
        q->now = observation & 1 ? right_before(at) : right_after(at);
        if (!(observation & 1))
            queue_may_leave(&q->scan, observation / 2);
        else if (!queue_must_have_left(&q->scan, observation / 2))
            return refute(q);
    }
    q->now = right_after(c->end);
    for (uint32_t v = 0; v < c->n; v++)
        if (c->life[v].remove_call >= c->end)
            queue_may_leave(&q->scan, v);
    return true;
}

/* ---- witness ---- */

struct timeline { /* operations, by their moments */
    VEC(uint32_t) place, when;
};

static void put(struct mem *m, struct timeline *t, uint32_t place, uint32_t when)
{
    if (place == ID_NONE)
        return;
    vec_push(m, &t->place, place);
    vec_push(m, &t->when, when);
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void put_all(struct recorded_queue *q, struct timeline *adds, struct timeline *observations)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    struct groups peeks = {0};
    if (c->peeked)
        peeks = collection_peeks(c);
    for (uint32_t k = 0, latest = 0, j = 0; k < c->n; k++) {
        uint32_t v = q->left[k], when = q->when[k];
        const struct life *life = &c->life[v];
        budget_tick(c->job->budget);
        for (; j < c->empty_n && right_before(c->gap[j] + 1) <= when; j++)
            latest = later(latest, right_before(c->gap[j] + 1));
        latest = later(latest, right_after(life->add_call));
        put(m, adds, life->add, latest);
        for (uint32_t p = c->peeked ? peeks.at[v] : 0; c->peeked && p < peeks.at[v + 1]; p++)
            put(m, observations, peeks.list[p], later(when, right_after(c->call[peeks.list[p]])));
        put(m, observations, life->remove, later(when, right_after(life->remove_call)));
    }
}

/* Merges the timelines and the operations that found nothing. At one moment these operations come first, then adds,
 * then observations. */
static void witness(struct recorded_queue *q)
{
    struct collection *c = &q->c;
    struct evidence *ev = &c->job->out->evidence;
    struct timeline adds = {0}, observations = {0};
    put_all(q, &adds, &observations);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t a = 0, f = 0, j = 0; a < adds.place.n || f < observations.place.n || j < c->empty_n;) {
        uint32_t add = a < adds.place.n ? adds.when.at[a] : UINT32_MAX;
        uint32_t observation = f < observations.place.n ? observations.when.at[f] : UINT32_MAX;
        uint32_t nothing = j < c->empty_n ? right_before(c->gap[j] + 1) : UINT32_MAX;
        bool is_nothing = nothing <= add && nothing <= observation;
        uint32_t place = is_nothing           ? c->empty[j++]
                         : add <= observation ? adds.place.at[a++]
                                              : observations.place.at[f++];
        evidence_place(ev, collection_op(c, place));
    }
}

static void run_fast_queue(struct job *job)
{
    struct recorded_queue q = {0};
    if (!collection_read(&q.c, job))
        return;
    collection_match_pending(&q.c);
    if (!collection_check_empty(&q.c))
        return;
    prepare(&q);
    if (scan(&q) && job->witness)
        witness(&q);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, "queue");
}

const struct engine engine_fast_queue = {
    .name = "fast-queue",
    .title = "queues with distinct values, in linear time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_fast_queue,
};
