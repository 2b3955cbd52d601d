/* SPDX-License-Identifier: Apache-2.0 */
#include "search/sums.h"

#include "search/plain_part.h"
#include "spec/any_initial.h"
#include "spec/roles.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 32, WIDTH = 64 * WORDS };

/* ---- reading the calls ---- */

/* Adds to the total, unless that could overflow some sum. */
static bool count_in(int64_t *total, int64_t amount)
{
    return amount != INT64_MIN && !__builtin_add_overflow(*total, amount < 0 ? -amount : amount, total) &&
           *total < INT64_MAX / 4;
}

/* The sum before the call, by its result. False: beyond the numbers of 64 bits. */
static bool sum_before(const assay_call *call, int64_t *sum)
{
    int64_t own = call->method == COUNTER_FETCH_ADD ? 0 : counter_change(call);
    return !__builtin_sub_overflow(call->result.integer, own, sum);
}

struct demand {
    int64_t sum;
    uint32_t i;
};

static int compare_demands(const void *left, const void *right)
{
    const struct demand *a = left, *b = right;
    return a->sum != b->sum ? (a->sum > b->sum) - (a->sum < b->sum) : (a->i > b->i) - (a->i < b->i);
}

/* Sorts the operations that demand a sum into the order in which the counter comes by their sums. */
static void sort_demands(struct sums *s, const struct linear *x, bool falls)
{
    struct demand *sorted = mem_new(x->m, struct demand, x->n + 1);
    s->falls = falls;
    for (uint32_t i = 0; i < x->n; i++)
        if (s->demands[i])
            sorted[s->demanding_n++] = (struct demand){falls ? ~s->demanded[i] : s->demanded[i], i};
    qsort(sorted, s->demanding_n, sizeof *sorted, compare_demands);
    s->demanding = mem_new(x->m, uint32_t, s->demanding_n + 1);
    s->place = mem_new(x->m, uint32_t, x->n + 1);
    for (uint32_t k = 0; k < s->demanding_n; k++) {
        s->demanding[k] = sorted[k].i;
        s->place[sorted[k].i] = k;
    }
    mem_free(x->m, sorted);
}

void sums_begin(struct sums *s, const struct linear *x, const struct job *job)
{
    *s = (struct sums){0};
    if (!job->part->object || !plain_is(job, "counter") || job->calls->order != CALLS_INTERVALS)
        return;
    int64_t total = 0;
    s->initial = s->now = plain_initial_number(job, 0);
    bool small = count_in(&total, s->initial);
    s->amount = mem_new(job->mem, int64_t, x->n + 1);
    s->demanded = mem_new(job->mem, int64_t, x->n + 1);
    s->demands = mem_new(job->mem, bool, x->n + 1);
    uint32_t additions = 0, pinned = 0;
    bool rises = false, falls = false;
    for (uint32_t i = 0; i < x->n && small; i++) {
        const assay_call *call = &x->call[i];
        s->amount[i] = counter_change(call);
        additions += s->amount[i] != 0;
        rises |= s->amount[i] > 0;
        falls |= s->amount[i] < 0;
        pinned += s->amount[i] != 0 && call->result.kind == ASSAY_INT;
        s->demands[i] = call->result.kind == ASSAY_INT && x->ends[i] != CALLS_NEVER;
        small = count_in(&total, s->amount[i]) && (!s->demands[i] || sum_before(call, &s->demanded[i]));
    }
    s->x = small ? x : NULL;
    s->pinned = pinned > additions / 2;
    if (s->x && (!rises || !falls))
        sort_demands(s, x, falls);
}

/* ---- bounds, before the search ---- */

struct bounds { /* of operations up to some time: sums of all, and of the positive ones */
    int64_t all, up;
};

static void include(struct bounds *b, int64_t amount)
{
    b->all += amount;
    b->up += amount > 0 ? amount : 0;
}

static bool is_beyond(const struct sums *s, uint32_t i, struct bounds before, struct bounds called)
{
    int64_t own = s->amount[i], base = s->initial + before.all;
    int64_t up = called.up - before.up - (own > 0 ? own : 0), all = called.all - before.all - own;
    return s->demanded[i] > base + up || s->demanded[i] < base + all - up;
}

bool sums_refute(const struct sums *s, struct job *job)
{
    const struct linear *x = s->x;
    if (!x)
        return false;
    uint32_t n, next = 0;
    uint64_t *returns = linear_by_return(x, &n);
    struct bounds *before = mem_new(x->m, struct bounds, x->n + 1), sum = {0};
    for (uint32_t i = 0, k = 0; i < x->n; i++) { /* by their calls: the operations that had returned */
        for (; k < n && returns[k] >> 32 < x->starts[i]; k++)
            include(&sum, s->amount[(uint32_t)returns[k]]);
        before[i] = sum;
    }
    struct bounds called = {0};
    for (uint32_t k = 0; k < n; k++) { /* by their returns: the operations that had been called */
        uint32_t i = (uint32_t)returns[k];
        budget_tick(job->budget);
        for (; next < x->n && x->starts[next] < x->ends[i]; next++)
            include(&called, s->amount[next]);
        if (!s->demands[i] || !is_beyond(s, i, before[i], called))
            continue;
        job->out->verdict = ASSAY_VIOLATION;
        evidence_part(&job->out->evidence, PATTERN_SumOutOfReach, job->part->ops[i], false);
        evidence_keep(&job->out->evidence, job->part->ops[i]);
        return true;
    }
    mem_free(x->m, returns);
    mem_free(x->m, before);
    return false;
}

/* ---- sums that can be reached ---- */

struct reachable { /* the sums low + b for the bits b that are set */
    uint64_t bits[WORDS];
    int64_t low, high;
};

/* Sets the lowest so many words of `to`. */
static void or_shifted(uint64_t *to, const uint64_t *from, uint64_t by, uint64_t n)
{
    uint64_t words = by / 64, bits = by % 64;
    for (uint64_t w = n; w-- > words;) {
        uint64_t lower = bits && w > words ? from[w - words - 1] >> (64 - bits) : 0;
        to[w] |= from[w - words] << bits | lower;
    }
}

/* One of these sums is added, or none. False: the set would be too wide. */
static bool combine(struct reachable *r, const int64_t *sum, uint32_t n)
{
    int64_t low = 0, high = 0;
    for (uint32_t k = 0; k < n; k++) {
        low = sum[k] < low ? sum[k] : low;
        high = sum[k] > high ? sum[k] : high;
    }
    r->low += low;
    r->high += high;
    if (r->high - r->low >= WIDTH)
        return false;
    uint64_t next[WORDS], words = (uint64_t)(r->high - r->low) / 64 + 1;
    memset(next, 0, words * sizeof *next);
    or_shifted(next, r->bits, (uint64_t)-low, words);
    for (uint32_t k = 0; k < n; k++)
        if (sum[k])
            or_shifted(next, r->bits, (uint64_t)(sum[k] - low), words);
    memcpy(r->bits, next, words * sizeof *next);
    return true;
}

/* Can the operation i still be linearized, as far as the sum goes? */
static bool can_reach(const struct sums *s, uint32_t i)
{
    enum { MOST = 64 };
    const struct linear *x = s->x;
    struct reachable r = {.bits = {1}};
    int64_t base = s->now, sum[MOST];
    for (uint32_t l = 0; l < x->lanes; l++) {
        int64_t all = 0;
        uint32_t n = 0;
        for (uint32_t at = x->lane_at[l] + x->position[l]; at < x->lane_at[l + 1]; at++) {
            uint32_t o = x->lane[at];
            if (o == i || x->starts[o] > x->ends[i])
                break;
            if (x->ends[o] < x->starts[i]) {
                base += s->amount[o];
            } else if (s->amount[o]) {
                all += s->amount[o];
                sum[n++] = all;
            }
            if (n == MOST)
                return true;
        }
        if (n && !combine(&r, sum, n))
            return true;
    }
    for (uint32_t k = 0; k < x->maybe_n && x->starts[x->maybe[k]] < x->ends[i]; k++) {
        uint32_t o = x->maybe[k];
        if (!x->done[o] && s->amount[o] && !combine(&r, &s->amount[o], 1))
            return true;
    }
    int64_t wanted;
    if (__builtin_sub_overflow(s->demanded[i], base, &wanted)) /* the sums of all calls are small */
        return false;
    return wanted >= r.low && wanted <= r.high && (r.bits[(wanted - r.low) / 64] >> (wanted - r.low) % 64 & 1);
}

uint32_t sums_lack(const struct sums *s)
{
    for (uint32_t l = 0; s->x && !s->pinned && l < s->x->lanes; l++) {
        uint32_t head = linear_head(s->x, l);
        if (head != ID_NONE && s->demands[head] && !can_reach(s, head))
            return head;
    }
    return ID_NONE;
}
