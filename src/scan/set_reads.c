/* SPDX-License-Identifier: Apache-2.0 */
/* Idea. Nothing is removed, so the set only grows, and its reads are a chain by inclusion. C_0 is the initial content,
 * and C_1 < C_2 < ... < C_m are the different lists that were read. A read of C_i has the rank 2i + 1. An add whose
 * value is in C_i and in no C_j before it has the rank 2i. An add whose value was never read has the rank 2m + 2. If it
 * is pending it is left out.
 *
 * Claim. The part is linearizable iff three conditions hold. Each list has only values that were added or were there at
 * first, each of them once. The lists are a chain. No operation happens before one of a lower rank.
 *
 * An add that found its value already there refutes the part, since no other call adds it.
 *
 * Proof. The first two conditions are necessary, since they hold of the states of a set that grows. For the third one,
 * let x have a lower rank than y. Then x precedes y in every linearization, in each case:
 * - x is an add of C_i and y a read of C_j with i <= j. The read returned the value.
 * - x is a read of C_i and y an add of C_j with i < j. The read did not return the value.
 * - x is an add of C_i and y an add of C_j with i < j. A read of C_i is between them.
 * - x is a read of C_i and y a read of C_j with i < j. An add of C_j is between them.
 * An add of a value that was never read counts as one of C_(m+1) here. So y must not happen before x. Conversely, order
 * the operations by rank, and those of equal rank by their calls. This order extends happens-before. Before the reads
 * of C_i it has the adds of the values of C_i and no others, so each read is legal.
 *
 * A contradiction is about two values at most, and two reads. The evidence keeps these reads and the adds of these
 * values. recheck leaves the other values out of the reads (recheck/elements.c).
 *
 * Cost: the length of all lists, and n log n. The idea is this project's own. */
#include "scan/set_reads.h"

#include "base/radix.h"
#include "history/value_numbers.h"
#include "search/plain_part.h"
#include "spec/roles.h"

#define UNREAD UINT32_MAX /* the chain's number of a value that no read has */

struct reads {
    struct job *job;
    struct value_numbers numbers;
    uint32_t *adder;       /* of each value: the place of its add in the part; ID_NONE: it was there at first */
    uint32_t *link;        /* of each value: the first C_i that has it */
    uint32_t *met;         /* of each value: the read that had it last */
    uint32_t *list_of;     /* of each operation: i of C_i that the add or read goes with */
    uint32_t refused;      /* an add that says that its value was there; or ID_NONE */
    uint32_t initial;      /* number of the values that were there at first */
    VEC(uint32_t) example; /* of each C_i: a read of it, or ID_NONE */
};

static uint32_t op_at(const struct reads *r, uint32_t i)
{
    return r->job->part->ops[i];
}

static bool is_read(const struct reads *r, uint32_t i)
{
    return calls_method(r->job->calls, op_at(r, i)) == SET_ELEMENTS;
}

static bool is_pending(const struct reads *r, uint32_t i)
{
    return r->job->calls->ret[op_at(r, i)] == CALLS_NEVER;
}

/* ---- refutations ---- */

static void keep(const struct reads *r, uint32_t i)
{
    if (i != ID_NONE)
        evidence_keep(&r->job->out->evidence, op_at(r, i));
}

static void refute(const struct reads *r, enum pattern pattern, uint32_t culprit)
{
    r->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&r->job->out->evidence, pattern, op_at(r, culprit), false);
    keep(r, culprit);
}

/* A value of the read that belongs to none of the lists up to C_i. */
static uint32_t value_behind(struct reads *r, uint32_t read, uint32_t link)
{
    const history *h = r->job->h;
    const struct list_value *l = h->lists.all.at[history_result(h, op_at(r, read)).bits];
    for (; l->before; l = l->before) {
        uint32_t v = value_number_find(&r->numbers, l->last);
        if (r->link[v] > link)
            return v;
    }
    return ID_NONE;
}

/* The read lacks a value of an earlier list, and is at least as long: so it has a value that the earlier one lacks. The
 * values of the read are marked. */
static void refute_fork(struct reads *r, uint32_t read, uint32_t link)
{
    uint32_t missing = 0, example = r->example.at[link];
    while (r->link[missing] > link || r->met[missing] == read)
        missing++;
    refute(r, PATTERN_NoLinearization, read);
    if (r->adder[missing] == ID_NONE) /* it was there at first */
        return;
    keep(r, r->adder[missing]);
    keep(r, example);
    keep(r, r->adder[value_behind(r, read, link)]);
}

/* The first happens before the second, and its rank is higher. */
static void refute_order(struct reads *r, uint32_t first, uint32_t second)
{
    bool second_reads = is_read(r, second), first_reads = is_read(r, first), early = first_reads && !second_reads;
    refute(r, early ? PATTERN_RemovedBeforeAdded : PATTERN_NoLinearization, early ? first : second);
    keep(r, early ? second : first);
    if (first_reads && second_reads)
        keep(r, r->adder[value_behind(r, first, r->list_of[second])]);
    if (!first_reads && !second_reads)
        keep(r, r->example.at[r->list_of[second]]);
}

/* ---- the operations ---- */

/* Numbers the values that were there at first or added. Returns the reason why the part is not for this sweep, or
 * NULL. */
static const char *take_adds(struct reads *r)
{
    const history *h = r->job->h;
    struct mem *m = r->job->mem;
    const assay_setting s = part_setting(r->job->part);
    struct truth truth = truth_of(h);
    uint32_t n = r->job->part->n, most = n + (uint32_t)s.init_count;
    r->adder = mem_new_ids(m, most + 1);
    r->numbers = value_numbers_new();
    for (uint32_t i = 0; i < n; i++)
        if (!is_read(r, i))
            value_numbers_expect(&r->numbers, history_arg(h, op_at(r, i), 0));
    value_numbers_begin(&r->numbers, m, 4 * (uint64_t)most + 4);
    for (size_t i = 0; i < s.init_count; i++)
        value_number(m, &r->numbers, value_internal(s.init[i].value));
    r->initial = r->numbers.n;
    for (uint32_t i = 0; i < n; i++) {
        struct value answer = history_result(h, op_at(r, i));
        if (is_read(r, i))
            continue;
        if (calls_method(r->job->calls, op_at(r, i)) != SET_ADD)
            return "some calls concern one value, and others the whole set";
        if (r->refused == ID_NONE && answer.kind != ASSAY_NONE && !truth_is(answer, truth.yes))
            r->refused = i;
        uint32_t before = r->numbers.n, v = value_number(m, &r->numbers, history_arg(h, op_at(r, i), 0));
        if (v < before)
            return "a value is added twice";
        r->adder[v] = i;
    }
    return NULL;
}

/* Puts the read, which is as long as C_`last` or longer, behind the others of the chain. False: it does not fit. */
static bool take_read(struct reads *r, uint32_t read, uint32_t length)
{
    const history *h = r->job->h;
    uint32_t last = r->example.n - 1, known = 0, size = 0;
    const struct list_value *l = h->lists.all.at[history_result(h, op_at(r, read)).bits];
    for (const struct list_value *at = l; at->before; at = at->before, size++) {
        uint32_t v = value_number_find(&r->numbers, at->last);
        if (v == ID_NONE || r->met[v] == read) {
            refute(r, v == ID_NONE ? PATTERN_RemovedNeverAdded : PATTERN_NoLinearization, read);
            if (v != ID_NONE)
                keep(r, r->adder[v]);
            return false;
        }
        r->met[v] = read;
        known += r->link[v] != UNREAD;
    }
    budget_tick(r->job->budget);
    if (known < length) {
        refute_fork(r, read, last);
        return false;
    }
    if (size > length) {
        vec_push(r->job->mem, &r->example, ID_NONE);
        last++;
    }
    for (const struct list_value *at = l; size > length && at->before; at = at->before) {
        uint32_t *link = &r->link[value_number_find(&r->numbers, at->last)];
        *link = *link == UNREAD ? last : *link;
    }
    r->example.at[last] = read;
    r->list_of[read] = last;
    return true;
}

/* The reads in the order of their lengths. False: they are no chain. */
static bool take_reads(struct reads *r)
{
    const history *h = r->job->h;
    struct mem *m = r->job->mem;
    uint32_t n = r->job->part->n, count = 0, length = r->initial;
    uint64_t *sorted = mem_new(m, uint64_t, n + 1);
    r->link = mem_new_ids(m, r->numbers.n + 1);
    r->met = mem_new_ids(m, r->numbers.n + 1);
    r->list_of = mem_new_ids(m, n + 1);
    vec_push(m, &r->example, ID_NONE);
    for (uint32_t v = 0; v < r->initial; v++)
        r->link[v] = 0;
    for (uint32_t i = 0; i < n; i++)
        if (is_read(r, i) && !is_pending(r, i))
            sorted[count++] = (uint64_t)h->lists.all.at[history_result(h, op_at(r, i)).bits]->length << 32 | i;
    radix_sort(sorted, count, m);
    for (uint32_t k = 0; k < count; k++) {
        if (!take_read(r, (uint32_t)sorted[k], length))
            return false;
        length = (uint32_t)(sorted[k] >> 32);
    }
    for (uint32_t v = r->initial; v < r->numbers.n; v++)
        r->list_of[r->adder[v]] = r->link[v] == UNREAD ? r->example.n : r->link[v];
    return true;
}

/* ---- the order ---- */

/* Has it an effect that an order must show? Not a pending read, nor a pending add that was never read. */
static bool counts(const struct reads *r, uint32_t i)
{
    return !is_pending(r, i) || (!is_read(r, i) && r->list_of[i] < r->example.n);
}

static uint64_t rank(const struct reads *r, uint32_t i)
{
    return 2 * (uint64_t)r->list_of[i] + is_read(r, i);
}

/* Compares each operation with the highest rank that returned before its call. */
static bool is_ordered(struct reads *r)
{
    const struct calls *c = r->job->calls;
    uint32_t n = r->job->part->n, returned = 0, highest = ID_NONE;
    uint64_t *returns = mem_new(r->job->mem, uint64_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!is_pending(r, i))
            returns[returned++] = (uint64_t)c->ret[op_at(r, i)] << 32 | i;
    radix_sort(returns, returned, r->job->mem);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        for (; k < returned && returns[k] >> 32 < c->call[op_at(r, i)]; k++)
            if (highest == ID_NONE || rank(r, (uint32_t)returns[k]) > rank(r, highest))
                highest = (uint32_t)returns[k];
        if (counts(r, i) && highest != ID_NONE && rank(r, highest) > rank(r, i)) {
            refute_order(r, highest, i);
            return false;
        }
    }
    return true;
}

static void witness(const struct reads *r)
{
    uint32_t n = r->job->part->n, count = 0;
    uint64_t *sorted = mem_new(r->job->mem, uint64_t, n + 1);
    for (uint32_t i = 0; i < n; i++) /* by their calls */
        if (counts(r, i))
            sorted[count++] = rank(r, i) << 32 | i;
    radix_sort(sorted, count, r->job->mem);
    evidence_begin_order(&r->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t k = 0; k < count; k++)
        evidence_place(&r->job->out->evidence, op_at(r, (uint32_t)sorted[k]));
}

void set_reads_run(struct job *job)
{
    struct reads r = {.job = job, .refused = ID_NONE};
    job->declined = take_adds(&r);
    if (!job->declined && r.refused != ID_NONE)
        refute(&r, PATTERN_NoLinearization, r.refused);
    else if (!job->declined && take_reads(&r) && is_ordered(&r) && job->witness)
        witness(&r);
}
