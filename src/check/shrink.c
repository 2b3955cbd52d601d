/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking a violation: a smaller history that still violates the model, for a person to look at.
 *
 * Idea: a sub-history proves something only if a consistent history stays consistent under the cut. So chunks of
 * units, which are operations, keys or accesses, are cut. Each goes with the units that must be cut with it
 * (shrink_memory.c, shrink_object.c, shrink_transactions.c). This goes on while the violation stays, in ever smaller
 * chunks down to one unit.
 *
 * A person is to understand the violation of the whole, so the rest must have the same pattern. A stack that pops a
 * value twice would else shrink to a single pop, whose value nobody pushed: the push and the other pop are an allowed
 * cut. A verdict is found faster than a reason, and most cuts keep the pattern. So the first attempt asks for verdicts
 * only. If another pattern comes out, a second one asks for the pattern of each trial.
 * Source: delta debugging (Zeller and Hildebrandt 2002), restricted to sound cuts. */
#include "check/shrink.h"
#include "base/given.h"

#include "base/options.h"
#include "check/doubt.h"
#include "history/excerpt.h"
#include "history/last_line.h"
#include "history/slice.h"

#include <stdlib.h>
#include <string.h>

static void want_named(struct shrinking *s, const struct evidence *ev, void (*want)(struct shrinking *s, uint32_t op))
{
    want(s, ev->culprit);
    want(s, ev->opposite);
    for (uint32_t i = 0; i < ev->steps.n; i++) {
        want(s, ev->steps.at[i].from);
        want(s, ev->steps.at[i].to);
    }
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        want(s, ev->reasons.at[i].read);
}

void shrink_refutation(struct shrinking *s, void (*want)(struct shrinking *s, uint32_t op))
{
    const struct evidence *ev = &s->r->evidence;
    want_named(s, ev, want);
    for (uint32_t i = 0; i < ev->cases.n; i++)
        want_named(s, ev->cases.at[i], want);
}

static history *slice_of_operations(const struct shrinking *s, const bool *keep)
{
    return history_slice(s->base, keep);
}

void shrink_by_operations(struct shrinking *s, const history *base)
{
    s->base = base;
    s->units = s->ends[0] = base->n;
    s->rounds = 1;
    s->slice = slice_of_operations;
}

/* Both have a pattern, or neither: some engines give no reason. */
static bool shares_pattern(const struct shrinking *s, const result *r)
{
    return r->evidence.pattern == s->r->evidence.pattern &&
           (r->evidence.pattern == PATTERN_NONE || strcmp(pattern_reported(r), pattern_reported(s->r)) == 0);
}

bool shrink_violates(struct shrinking *s, const history *h)
{
    assay_error ignored = {0};
    uint64_t ticks = history_any_initial(h) ? s->ticks_from_any : 0;
    result *r = checker_limited(h, s->r->model, &s->options, s->same_pattern ? s->explain : NULL, ticks, &ignored);
    bool yes = r && r->verdict == ASSAY_VIOLATION && (!s->same_pattern || shares_pattern(s, r));
    assay_result_free(r);
    if (yes && s->options.shrinking)
        s->options.shrinking(s->options.shrinking_arg, h->n);
    return yes;
}

/* The rest as it is shown in the end: without headers and threads that no operation needs. */
static history *as_shown(struct shrinking *s)
{
    bool *all = mem_new(&s->mem, bool, (size_t)s->rest->n + 1);
    memset(all, true, s->rest->n);
    history *shown = history_excerpt(s->rest, all, NULL, s->all_init);
    mem_free(&s->mem, all);
    return shown;
}

/* The slice as it would be shown: where several patterns fit, the order of the threads may decide which is told. */
static history *slice_as_shown(struct shrinking *s, const bool *keep)
{
    s->rest = s->slice(s, keep); /* freed by forget after an escape */
    history *shown = as_shown(s);
    history_free(s->rest);
    s->rest = NULL;
    return shown;
}

bool shrink_still_violates(struct shrinking *s, const bool *keep)
{
    history *h = s->same_pattern ? slice_as_shown(s, keep) : s->slice(s, keep);
    bool yes = shrink_violates(s, h);
    history_free(h);
    return yes;
}

static uint32_t count(const bool *keep, uint32_t from, uint32_t end)
{
    uint32_t kept = 0;
    for (uint32_t u = from; u < end; u++)
        kept += keep[u];
    return kept;
}

/* Tries to do without `chunk` kept units of the round from the first-th on. */
static bool cut(struct shrinking *s, uint32_t from, uint32_t end, uint32_t first, uint32_t chunk)
{
    uint32_t seen = 0;
    memcpy(s->trial, s->keep, s->units * sizeof *s->trial);
    for (uint32_t u = from; u < end; u++)
        if (s->keep[u] && seen++ >= first && seen <= first + chunk)
            s->trial[u] = false;
    bool smaller = s->close(s, s->trial) && memcmp(s->trial, s->keep, s->units * sizeof *s->trial) != 0;
    if (!smaller || !shrink_still_violates(s, s->trial))
        return false;
    memcpy(s->keep, s->trial, s->units * sizeof *s->keep);
    return true;
}

static void shrink_round(struct shrinking *s, uint32_t from, uint32_t end)
{
    uint32_t half = count(s->keep, from, end) / 2;
    for (uint32_t chunk = half ? half : 1;; chunk = chunk > 1 ? chunk / 2 : 1) {
        bool smaller = false;
        for (uint32_t first = 0; first < count(s->keep, from, end);)
            if (cut(s, from, end, first, chunk))
                smaller = true;
            else
                first += chunk;
        if (chunk == 1 && !smaller)
            break;
    }
}

static void attempt(void *arg)
{
    struct shrinking *s = arg;
    unsigned needs = s->r->model->needs;
    (needs & NEED_CALLS ? shrink_object : needs & NEED_TRANSACTIONS ? shrink_transactions : shrink_memory)(s);
    s->trial = mem_new(&s->mem, bool, (size_t)s->units + 1);
    do
        for (uint32_t i = 0; i < s->rounds; i++)
            shrink_round(s, i ? s->ends[i - 1] : 0, s->ends[i]);
    while (s->again && s->again(s));
    s->rest = s->slice(s, s->keep);
    s->best = as_shown(s);
}

static void forget(struct shrinking *s)
{
    history_free(s->owned);
    history_free(s->rest);
    mem_release(&s->mem);
}

/* Another engine, which the user asked for, may have seen a pattern that this check does not see in the whole. */
static void look_for_pattern(void *arg)
{
    struct shrinking *s = arg;
    s->same_pattern = true;
    s->fine = shrink_violates(s, s->best) || !shrink_violates(s, s->r->h);
}

/* Once more, with the pattern in view, if the first attempt has lost it. */
static enum escape shrink_protected(struct shrinking *s)
{
    const struct shrinking fresh = *s;
    enum escape left = escape_run(attempt, s);
    if (!left && !s->from_start)
        left = escape_run(look_for_pattern, s);
    if (left || s->fine || s->from_start)
        return left;
    forget(s);
    history_free(s->best);
    *s = fresh;
    s->same_pattern = true;
    return escape_run(attempt, s);
}

static history *shrink_result(const result *r, bool from_start, const assay_options *options, explainer *explain,
                              uint32_t *kept, assay_error *e)
{
    struct shrinking s = {.r = r, .from_start = from_start, .explain = explain};
    if (!options_take(&s.options, sizeof s.options, options, e))
        return NULL;
    enum escape left = shrink_protected(&s);
    error_from_escape(e, left);
    if (left) {
        history_free(s.best);
        s.best = NULL;
    }
    for (uint32_t o = 0, i = 0; kept && s.best && o < s.base->n; o++)
        if (s.keep[o])
            kept[i++] = s.origin ? s.origin[o] : o;
    forget(&s);
    return s.best;
}

/* If the file may be cut, the history is shrunk without what may go on of its last line. So all cuts are sound, however
 * the line goes on. */
static history *shrink_certain(const result *r, bool from_start, const assay_options *options, explainer *explain,
                               uint32_t *kept, assay_error *e)
{
    history *rest;
    if (!doubt_left_out(r->h, r->model, r->skew, &rest, e))
        return NULL;
    if (rest == r->h)
        return shrink_result(r, from_start, options, explain, kept, e);
    assay_options given;
    result *again = options_take(&given, sizeof given, options, e) ? checker_once(rest, r->model, &given, explain, e)
                                                                   : NULL;
    bool fine = again && again->verdict == ASSAY_VIOLATION && evidence_present(again);
    history *small = fine ? shrink_result(again, from_start, options, explain, kept, e) : NULL;
    if (again && !fine)
        error_set(e, ASSAY_ERROR_BUDGET, "the budget is used up before the violation is found without the last line");
    for (uint32_t i = 0; small && kept && i < small->n; i++)
        kept[i] = last_line_origin(r->h, rest, kept[i]);
    assay_result_free(again);
    history_free(rest);
    return small;
}

static history *shrunk(const result *r, bool from_start, const assay_options *options, explainer *explain,
                       uint32_t *kept, assay_error *e)
{
    r = result_proof(r); /* a part that violates the weaker model violates the stronger one */
    if (r->verdict != ASSAY_VIOLATION || !evidence_present(r)) {
        error_set(e, ASSAY_ERROR_USAGE, "only a violation that comes with a refutation can be shrunk");
        return NULL;
    }
    return (r->h->last_line.line ? shrink_certain : shrink_result)(r, from_start, options, explain, kept, e);
}

history *shrink(const result *r, const assay_options *options, explainer *explain, uint32_t *kept, assay_error *e)
{
    return shrunk(r, false, options, explain, kept, e);
}

history *shrink_to_core(const result *r, const assay_options *options, explainer *explain, uint32_t *kept,
                        assay_error *e)
{
    return shrunk(r, true, options, explain, kept, e);
}
