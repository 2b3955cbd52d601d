/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/longest_prefix.h"

#include "check/check.h"
#include "explain/looks.h"
#include "history/slice.h"

#include <stdlib.h>

uint64_t longest_prefix_looks = 1 << 12;

struct returned {
    int64_t time;
    uint32_t op;
};

struct bisection {
    const result *r;
    assay_options options;
    struct mem *mem;
    struct returned *returns; /* by time */
    uint32_t n;
    bool *keep, *open; /* of operations: in the prefix; called there, but not returned */
    struct looks looks;
};

static int by_time(const void *a, const void *b)
{
    const struct returned *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static void sort_returns(struct bisection *b)
{
    const history *h = b->r->h;
    for (uint32_t o = 0; o < h->n; o++)
        if (!history_pending(h, o))
            b->returns[b->n++] = (struct returned){h->ret[o], o};
    qsort(b->returns, b->n, sizeof *b->returns, by_time);
}

/* The prefix of the first `count` returns, up to the next one. Calls that are open then may have taken effect, with any
 * result; that of the next return is one of them. */
static history *prefix(struct bisection *b, uint32_t count)
{
    const history *h = b->r->h;
    int64_t until = count < b->n ? b->returns[count].time : INT64_MAX;
    for (uint32_t o = 0; o < h->n; o++)
        b->keep[o] = b->open[o] = h->call[o] <= until;
    for (uint32_t i = 0; i < count; i++)
        b->open[b->returns[i].op] = false;
    return history_slice_open(h, b->keep, b->open);
}

static assay_verdict verdict_of(struct bisection *b, uint32_t count)
{
    history *h = prefix(b, count);
    assay_error ignored = {0};
    assay_verdict verdict = checker_verdict(h, b->r->model, &b->options, 0, &ignored);
    history_free(h);
    return verdict;
}

/* The number of returns in the longest linearizable prefix; b->n: it was not found. */
static uint32_t bisect(struct bisection *b)
{
    uint32_t good = 0, bad = b->n, guess = b->n; /* `good` returns are explained, `bad` are not */
    for (uint32_t i = 0; i < b->n; i++)
        if (b->returns[i].op == b->r->evidence.culprit)
            guess = i;
    for (uint32_t tries = 0; good + 1 < bad; tries++) {
        uint32_t near = guess + tries; /* first with all before the culprit, then with it */
        uint32_t at = tries < 2 && near > good && near < bad ? near : good + (bad - good) / 2;
        assay_verdict v = verdict_of(b, at);
        if (v == ASSAY_UNDECIDED)
            return b->n;
        *(v == ASSAY_CONSISTENT ? &good : &bad) = at;
    }
    return good;
}

static const struct evidence *orders_of(struct bisection *b, const struct evidence *from)
{
    struct evidence *ev = mem_new(b->mem, struct evidence, 1);
    *ev = evidence_in(b->mem);
    uint32_t *origin = mem_new(b->mem, uint32_t, b->r->h->n + 1);
    for (uint32_t o = 0, n = 0; o < b->r->h->n; o++)
        if (b->keep[o])
            origin[n++] = o;
    for (uint32_t i = 0; i < from->orders.n; i++) {
        evidence_begin_order(ev, from->orders.at[i].thread);
        for (uint32_t j = 0; j < from->orders.at[i].count; j++)
            evidence_place(ev, origin[from->ops.at[from->orders.at[i].at + j]]);
    }
    return ev;
}

void longest_prefix(const result *r, const assay_options *options, struct explanation *x)
{
    const history *h = r->h;
    bool fits = r->verdict == ASSAY_VIOLATION && r->model->conditions == COND_LIN &&
                !(r->model->needs & NEED_TRANSACTIONS) && history_times(h) == TIMES_INTERVALS;
    if (!fits)
        return;
    struct bisection b = {.r = r, .mem = x->mem};
    b.options = looks_options(&b.looks, options, longest_prefix_looks);
    b.options.evidence = true;
    b.options.engine = NULL;
    b.returns = mem_new(b.mem, struct returned, h->n + 1);
    b.keep = mem_new(b.mem, bool, h->n + 1);
    b.open = mem_new(b.mem, bool, h->n + 1);
    sort_returns(&b);
    uint32_t good = bisect(&b);
    if (good == b.n)
        return;
    history *longest = prefix(&b, good);
    assay_error ignored = {0};
    result *explained = checker_once(longest, r->model, &b.options, NULL, &ignored);
    if (explained && explained->verdict == ASSAY_CONSISTENT) {
        x->prefix = orders_of(&b, &explained->evidence);
        x->prefix_end = b.returns[good].op;
    }
    assay_result_free(explained);
    history_free(longest);
}
