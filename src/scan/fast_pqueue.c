/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-pqueue`: linearizability of a priority queue whose values are distinct, in nearly linear time.
 *
 * Idea (terms as in collection.h). The values are visited from the highest priority down. When v is visited, a gap is
 * free if it is in no critical interval of a higher value. Two conditions are necessary for a linearization:
 * - v's remove has a free gap from remove_call on, before its return;
 * - each peek of v has a free gap from its call and v's add_call on, before its return.
 * In each gap that is not free, some higher value is there in every linearization. An operation that found nothing is
 * like the remove of a value below all others. It needs a gap outside of all critical intervals.
 *
 * The conditions are sufficient. Let rho(v) be the first free gap from remove_call on; v is removed there. Let alpha(v)
 * be the earliest of these gaps: the last gap before add_return, the last free gap of each of v's peeks, and rho(v). v
 * is added there. This is not before add_call. The gaps strictly between alpha and rho are not free, or they lie in v's
 * critical interval. Behind remove_call this follows from the choice of rho. Before add_return it follows because
 * add_return is not after the return of v's peeks. So these gaps lie behind the last free gap of a peek. By induction,
 * when all values down to v are placed, the gaps that these values fill are still the gaps of their critical intervals.
 * A peek of v takes effect in the first free gap from its call and alpha on. This gap is not after rho, since rho is
 * free. It is before the peek's return, since the peek's last free gap is not before alpha.
 *
 * Within a gap there are three stages.
 * - First, values that were there are removed, from the highest down, each after its peeks of this gap.
 * - In the middle come values that are added and removed in this gap, peeks of values that stay, and operations that
 *   found nothing.
 * - At the end, values that will stay are added, from the lowest up, each before its peeks of this gap.
 * No higher value is there when v is removed or seen. A higher value that was there before the gap and stays would fill
 * the gap. The other higher values have left or are yet to come.
 *
 * Of several calls without a free gap, the one that returned first is blamed: the violation shows then.
 *
 * Free gaps are found with disjoint sets of neighbouring gaps that are not free (Tarjan 1975), because free gaps only
 * become fewer. Source: the later near-linear monitors for collections have the condition without peeks (Lee and
 * Mathur, OOPSLA 2025). The proof and the treatment of peeks are given above. */
#include "search/collection_calls.h"

#include <stdlib.h>
#include <string.h>

/* ---- free gaps ---- */

/* next[g] is g if g is free. Otherwise it is a later gap, and all gaps from g up to that gap are not free. The last gap
 * is never taken. */
static uint32_t next_free(uint32_t *next, uint32_t g)
{
    while (next[g] != g)
        g = next[g] = next[next[g]];
    return g;
}

/* The same backwards. The number g + 1 stands for gap g; 0: there is no free gap. */
static uint32_t last_free(uint32_t *last, uint32_t g)
{
    while (last[g] != g)
        g = last[g] = last[last[g]];
    return g;
}

struct refuted { /* a call of by[rank] has no free gap from `first` on, before its return */
    uint32_t rank, culprit, first;
};

struct pqueue_scan {
    struct collection c;
    struct groups peeks;
    uint32_t *by; /* the values, from the highest priority down */
    uint32_t *next;
    uint32_t *last;        /* for the witness, if there are peeks */
    uint32_t *alpha, *rho; /* for the witness */
    uint32_t *seen;        /* for the witness: the gap of each peek, by place */
    uint32_t refutations;  /* so many calls have no free gap; of these: */
    struct refuted found_first, returned_first;
};

static void take(struct pqueue_scan *q, const struct life *v)
{
    for (uint32_t g = next_free(q->next, v->add_return); g < v->remove_call; g = next_free(q->next, g)) {
        q->next[g] = g + 1;
        if (q->last)
            q->last[g + 1] = g;
    }
}

/* ---- from the highest down ---- */

static int64_t priority(const struct pqueue_scan *q, uint32_t v, bool least_first)
{
    const struct collection *c = &q->c;
    const assay_binding *init = c->part->object->setting.init;
    int64_t value = v < c->initials ? init[v].value.integer
                                    : history_arg(c->job->h, collection_op(c, c->life[v].add), 0).bits;
    return least_first ? ~value : value;
}

struct ranked {
    int64_t priority;
    uint32_t value;
};

static int higher_first(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->priority > b->priority ? -1 : a->priority < b->priority;
}

static void sort_sparse(struct pqueue_scan *q, const struct ranked *all)
{
    struct mem *m = q->c.job->mem;
    struct ranked *sorted = mem_new(m, struct ranked, q->c.n);
    memcpy(sorted, all, q->c.n * sizeof *sorted);
    qsort(sorted, q->c.n, sizeof *sorted, higher_first);
    for (uint32_t i = 0; i < q->c.n; i++)
        q->by[i] = sorted[i].value;
    mem_free(m, sorted);
}

static void sort_dense(struct pqueue_scan *q, const struct ranked *all, int64_t low, uint64_t width)
{
    struct mem *m = q->c.job->mem;
    uint32_t *table = mem_new_ids(m, width + 1);
    for (uint32_t v = 0; v < q->c.n; v++)
        table[(uint64_t)all[v].priority - (uint64_t)low] = v;
    uint32_t used = 0;
    for (uint64_t x = width + 1; x-- > 0;)
        if (table[x] != ID_NONE)
            q->by[used++] = table[x];
    mem_free(m, table);
}

static void sort(struct pqueue_scan *q)
{
    struct mem *m = q->c.job->mem;
    bool least_first = assay_value_same(q->c.part->object->setting.parameter, assay_word("min"));
    struct ranked *all = mem_new(m, struct ranked, q->c.n + 1);
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t v = 0; v < q->c.n; v++) {
        int64_t p = priority(q, v, least_first);
        all[v] = (struct ranked){p, v};
        low = p < low ? p : low;
        high = p > high ? p : high;
    }
    q->by = mem_new(m, uint32_t, q->c.n);
    uint64_t width = (uint64_t)high - (uint64_t)low;
    if (q->c.n && width / 4 <= q->c.n)
        sort_dense(q, all, low, width);
    else
        sort_sparse(q, all);
    mem_free(m, all);
}

/* ---- the conditions ---- */

/* Of several such calls the first one that was found is kept, and the one that returned first. */
static void note(struct pqueue_scan *q, struct refuted found)
{
    const uint32_t *ret = q->c.ret;
    if (!q->refutations++)
        q->found_first = q->returned_first = found;
    if (ret[found.culprit] < ret[q->returned_first.culprit])
        q->returned_first = found;
}

static void refute(struct pqueue_scan *q, const struct refuted *why)
{
    struct collection *c = &q->c;
    uint32_t *from = mem_new_zero(c->job->mem, uint32_t, c->n), *to = mem_new_zero(c->job->mem, uint32_t, c->n);
    memset(c->chosen, 0, c->n * sizeof *c->chosen);
    for (uint32_t i = 0; i < why->rank; i++) {
        from[q->by[i]] = c->life[q->by[i]].add_return;
        to[q->by[i]] = c->life[q->by[i]].remove_call;
    }
    c->chosen[q->by[why->rank]] = true;
    collection_choose_cover(c, from, to, why->first, c->ret[why->culprit]);
    collection_refute(c, PATTERN_Overtaken, why->culprit);
}

/* Pending removes may leave it open whether the call that returned first is to blame. */
static void report(struct pqueue_scan *q)
{
    refute(q, &q->returned_first);
    if (!q->c.job->declined)
        return;
    q->c.job->declined = NULL;
    refute(q, &q->found_first);
}

static void check_peeks(struct pqueue_scan *q, uint32_t rank)
{
    struct collection *c = &q->c;
    uint32_t v = q->by[rank], add_call = c->life[v].add_call;
    for (uint32_t p = q->peeks.at[v]; p < q->peeks.at[v + 1]; p++) {
        uint32_t peek = q->peeks.list[p], first = c->call[peek] > add_call ? c->call[peek] : add_call;
        budget_tick(c->job->budget);
        if (next_free(q->next, first) >= c->ret[peek])
            note(q, (struct refuted){rank, peek, first});
    }
}

static void place(struct pqueue_scan *q, uint32_t v, uint32_t rho)
{
    struct collection *c = &q->c;
    uint32_t alpha = c->life[v].add_return - 1;
    alpha = rho < alpha ? rho : alpha;
    uint32_t begin = c->peeked ? q->peeks.at[v] : 0, end = c->peeked ? q->peeks.at[v + 1] : 0;
    for (uint32_t p = begin; p < end; p++) {
        uint32_t last = last_free(q->last, c->ret[q->peeks.list[p]]) - 1;
        alpha = last < alpha ? last : alpha;
    }
    for (uint32_t p = begin; p < end; p++) {
        uint32_t peek = q->peeks.list[p];
        q->seen[peek] = next_free(q->next, c->call[peek] > alpha ? c->call[peek] : alpha);
    }
    q->alpha[v] = alpha;
    q->rho[v] = rho;
}

/* Priorities say little about times, so the values lie far apart in memory. The entries of values to come are
 * prefetched. */
static void fetch_ahead(const struct pqueue_scan *q, uint32_t rank)
{
    enum { NEAR = 8, FAR = 16 };
    if (rank + FAR >= q->c.n)
        return;
    __builtin_prefetch(&q->c.life[q->by[rank + FAR]]);
    __builtin_prefetch(&q->next[q->c.life[q->by[rank + NEAR]].remove_call]);
}

/* All values are visited, also behind a refuted one, so that the call that returned first is found. False: some call is
 * refuted. */
static bool scan(struct pqueue_scan *q)
{
    struct collection *c = &q->c;
    for (uint32_t rank = 0; rank < c->n; rank++) {
        uint32_t v = q->by[rank];
        const struct life *life = &c->life[v];
        budget_tick(c->job->budget);
        fetch_ahead(q, rank);
        uint32_t rho = next_free(q->next, life->remove_call);
        if (rho >= life->remove_return)
            note(q, (struct refuted){rank, life->remove, life->remove_call});
        if (c->peeked)
            check_peeks(q, rank);
        if (q->refutations && c->job->verdict_only)
            return false;
        if (q->alpha && !q->refutations)
            place(q, v, rho);
        take(q, life);
    }
    return !q->refutations;
}

/* ---- witness ---- */

/* The lists of each gap, linked through values. The middle list is also linked through places, whose numbers come
 * behind the values. */
struct gaps {
    uint32_t *first_removed, *first_inside, *first_added; /* of each gap, or ID_NONE */
    uint32_t *next_removed, *next_inside, *next_added;
};

static void push(uint32_t *first, uint32_t *next, uint32_t gap, uint32_t item)
{
    next[item] = first[gap];
    first[gap] = item;
}

static struct gaps fill_gaps(struct pqueue_scan *q)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    size_t n = (size_t)c->end + 1;
    struct gaps g;
    g.first_removed = mem_new_ids(m, n);
    g.first_inside = mem_new_ids(m, n);
    g.first_added = mem_new_ids(m, n);
    g.next_removed = mem_new_ids(m, c->n);
    g.next_inside = mem_new_ids(m, (size_t)c->n + c->part->n);
    g.next_added = mem_new_ids(m, c->n);
    for (uint32_t rank = 0; rank < c->n; rank++) {
        uint32_t high = q->by[rank], low = q->by[c->n - 1 - rank]; /* the value pushed first comes last */
        if (q->alpha[low] < q->rho[low])
            push(g.first_removed, g.next_removed, q->rho[low], low);
        if (q->alpha[high] < q->rho[high])
            push(g.first_added, g.next_added, q->alpha[high], high);
        else
            push(g.first_inside, g.next_inside, q->alpha[high], high);
        for (uint32_t p = c->peeked ? q->peeks.at[low] : 0; c->peeked && p < q->peeks.at[low + 1]; p++) {
            uint32_t gap = q->seen[q->peeks.list[p]];
            if (q->alpha[low] < gap && gap < q->rho[low])
                push(g.first_inside, g.next_inside, gap, c->n + q->peeks.list[p]);
        }
    }
    for (uint32_t j = 0; j < c->empty_n; j++)
        push(g.first_inside, g.next_inside, c->gap[j], c->n + c->empty[j]);
    return g;
}

static void put(struct pqueue_scan *q, uint32_t place)
{
    if (place != ID_NONE)
        evidence_place(&q->c.job->out->evidence, collection_op(&q->c, place));
}

static void put_peeks(struct pqueue_scan *q, uint32_t v, uint32_t gap)
{
    for (uint32_t p = q->c.peeked ? q->peeks.at[v] : 0; q->c.peeked && p < q->peeks.at[v + 1]; p++)
        if (q->seen[q->peeks.list[p]] == gap)
            put(q, q->peeks.list[p]);
}

static void witness(struct pqueue_scan *q)
{
    struct collection *c = &q->c;
    struct gaps g = fill_gaps(q);
    evidence_begin_order(&c->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t gap = 0; gap <= c->end; gap++) {
        budget_tick(c->job->budget);
        for (uint32_t v = g.first_removed[gap]; v != ID_NONE; v = g.next_removed[v]) {
            put_peeks(q, v, gap);
            put(q, c->life[v].remove);
        }
        for (uint32_t item = g.first_inside[gap]; item != ID_NONE; item = g.next_inside[item]) {
            if (item >= c->n) {
                put(q, item - c->n);
                continue;
            }
            put(q, c->life[item].add);
            put_peeks(q, item, gap);
            put(q, c->life[item].remove);
        }
        for (uint32_t v = g.first_added[gap]; v != ID_NONE; v = g.next_added[v]) {
            put(q, c->life[v].add);
            put_peeks(q, v, gap);
        }
    }
}

static void prepare(struct pqueue_scan *q)
{
    struct collection *c = &q->c;
    struct mem *m = c->job->mem;
    sort(q);
    q->next = mem_new(m, uint32_t, (size_t)c->end + 2);
    for (uint32_t g = 0; g <= c->end + 1; g++)
        q->next[g] = g;
    if (c->peeked)
        q->peeks = collection_peeks(c);
    if (!c->job->witness)
        return;
    q->alpha = mem_new(m, uint32_t, c->n);
    q->rho = mem_new(m, uint32_t, c->n);
    if (!c->peeked)
        return;
    q->seen = mem_new(m, uint32_t, c->part->n);
    q->last = mem_new(m, uint32_t, (size_t)c->end + 2);
    memcpy(q->last, q->next, ((size_t)c->end + 2) * sizeof *q->last);
}

static void run_fast_pqueue(struct job *job)
{
    struct pqueue_scan q = {0};
    if (!collection_read(&q.c, job) || !collection_check_empty(&q.c))
        return;
    prepare(&q);
    if (!scan(&q))
        report(&q);
    else if (job->witness)
        witness(&q);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, "pqueue");
}

const struct engine engine_fast_pqueue = {
    .name = "fast-pqueue",
    .title = "priority queues with distinct values, in nearly linear time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_fast_pqueue,
};
