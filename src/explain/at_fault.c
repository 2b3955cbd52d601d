/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/at_fault.h"

#include "check/check.h"
#include "explain/looks.h"
#include "history/slice.h"

#include <stdlib.h>

enum { MOST_TRIED_CALLS = 64, MOST_OPERATIONS = 1 << 14 };

uint64_t at_fault_looks = 1 << 9;

struct trial {
    const result *r;
    assay_options options;
    bool *keep, *open; /* of operations: of the culprit's object; not returned */
    struct looks looks;
};

struct candidate {
    int64_t returned;
    bool open; /* when the culprit returned */
    uint32_t op;
};

/* Calls that returned before the culprit, the latest first; then those that were open. */
static int likely_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->open != y->open)
        return x->open ? 1 : -1;
    if (x->returned != y->returned)
        return (x->returned > y->returned) == x->open ? 1 : -1;
    return x->op > y->op ? -1 : x->op < y->op;
}

/* What is the verdict if this call has not returned? */
static assay_verdict without_result(struct trial *x, uint32_t op)
{
    assay_error ignored = {0};
    x->open[op] = true;
    history *h = history_slice_open(x->r->h, x->keep, x->open);
    x->open[op] = false;
    assay_verdict verdict = checker_verdict(h, x->r->model, &x->options, 0, &ignored);
    history_free(h);
    return verdict;
}

/* The calls of the object that began before the culprit returned, and have a result. */
static uint32_t list_candidates(const struct trial *x, struct candidate *out)
{
    const history *h = x->r->h;
    uint32_t culprit = x->r->evidence.culprit, n = 0;
    for (uint32_t op = 0; op < h->n; op++)
        if (x->keep[op] && !x->open[op] && op != culprit && h->call[op] < h->ret[culprit] &&
            history_result(h, op).kind != ASSAY_NONE)
            out[n++] = (struct candidate){h->ret[op], h->ret[op] > h->ret[culprit], op};
    qsort(out, n, sizeof *out, likely_first);
    return n < MOST_TRIED_CALLS ? n : MOST_TRIED_CALLS;
}

static bool is_for(const result *r)
{
    const history *h = r->h;
    return r->verdict == ASSAY_VIOLATION && r->model->conditions == COND_LIN &&
           !(r->model->needs & NEED_TRANSACTIONS) && r->evidence.pattern == PATTERN_NoLinearization &&
           !r->evidence.whole && h->n <= MOST_OPERATIONS && history_times(h) == TIMES_INTERVALS &&
           !history_any_initial(h) && !history_pending(h, r->evidence.culprit);
}

void at_fault(const result *r, const assay_options *options, struct explanation *why)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    if (!is_for(r))
        return;
    struct trial x = {.r = r};
    x.options = looks_options(&x.looks, options, at_fault_looks);
    x.options.engine = NULL;
    x.keep = mem_new(why->mem, bool, h->n + 1);
    x.open = mem_new(why->mem, bool, h->n + 1);
    struct candidate *candidates = mem_new(why->mem, struct candidate, h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        x.keep[op] = history_object_of(h, op) == history_object_of(h, culprit);
        x.open[op] = history_pending(h, op);
    }
    uint32_t n = list_candidates(&x, candidates);
    if (without_result(&x, culprit) != ASSAY_VIOLATION) /* it may be at fault itself */
        return;
    for (uint32_t i = 0; i < n; i++) {
        assay_verdict v = without_result(&x, candidates[i].op);
        if (v == ASSAY_CONSISTENT)
            why->at_fault = candidates[i].op;
        if (v != ASSAY_VIOLATION)
            return;
    }
}
