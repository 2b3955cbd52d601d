/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking a violation: a smaller history that still violates the model, for a person to look at.
 *
 * Idea: a sub-history proves something only if a consistent history stays consistent under the cut. For a
 * memory the cuts are: a read, or a write together with all its readers. So a set of operations can be kept
 * iff it holds the source of each of its reads, and the writes that @final names. The operations that the
 * refutation names, with their sources, are such a set, and the refutation holds in it as it stands unless it
 * rests on something that it does not name; then all are kept. From there, chunks of operations (with the
 * readers of what they wrote) are cut while the violation stays, in ever smaller chunks down to one.
 * Source: delta debugging (Zeller and Hildebrandt 2002), restricted to sound cuts. */
#include "check.h"
#include "history/slice.h"

#include <stdlib.h>
#include <string.h>

struct shrinking {
    const result *r;
    const assay_options *options;
    assay_error *e;
    struct mem mem;
    struct rw *rw;
    uint32_t *event_of; /* operation -> event */
    bool *keep, *trial;
    uint32_t kept;
    history *best;
    result *trial_result;
};

static uint32_t source_of(const struct shrinking *s, uint32_t op)
{
    uint32_t e = s->event_of[op];
    bool has = (s->rw->kind[e] & RW_READS) && s->rw->src[e] < RW_THIN;
    return has ? s->rw->op[s->rw->src[e]] : ASSAY_NO_OPERATION;
}

static void want(struct shrinking *s, uint32_t op)
{
    while (op != ASSAY_NO_OPERATION && !s->keep[op]) { /* an rmw's source may be an rmw */
        s->keep[op] = true;
        op = source_of(s, op);
    }
}

static void want_refutation(struct shrinking *s)
{
    const struct evidence *ev = &s->r->evidence;
    if (ev->culprit != ASSAY_NO_OPERATION)
        want(s, ev->culprit);
    for (uint32_t i = 0; i < ev->steps.n; i++) {
        want(s, ev->steps.at[i].from);
        want(s, ev->steps.at[i].to);
    }
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        want(s, ev->reasons.at[i].read);
}

/* The declared last write of variable x, or ASSAY_NO_OPERATION; for models that look at these. */
static uint32_t final_of(const struct shrinking *s, uint32_t x)
{
    bool counts = s->r->model->conditions & (COND_SC | COND_TSO | COND_PSO);
    return counts && s->rw->final && s->rw->final[x] < RW_UNSAID ? s->rw->op[s->rw->final[x]]
                                                                 : ASSAY_NO_OPERATION;
}

static void want_finals(struct shrinking *s)
{
    for (uint32_t x = 0; x < s->rw->d; x++)
        want(s, final_of(s, x));
}

static bool keeps_finals(const struct shrinking *s, const bool *keep)
{
    for (uint32_t x = 0; x < s->rw->d; x++)
        if (final_of(s, x) != ASSAY_NO_OPERATION && !keep[final_of(s, x)])
            return false;
    return true;
}

/* Drops reads whose source was cut, until none is left. */
static void drop_orphans(const struct shrinking *s, bool *keep)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t o = 0; o < s->r->h->n; o++) {
            uint32_t source = keep[o] ? source_of(s, o) : ASSAY_NO_OPERATION;
            if (source != ASSAY_NO_OPERATION && !keep[source]) {
                keep[o] = false;
                again = true;
            }
        }
    }
}

static bool still_violates(struct shrinking *s, const bool *keep)
{
    history *h = history_slice(s->r->h, keep);
    struct checker c;
    assay_error ignored = {0};
    result *r = checker_open(&c, h, s->options, &ignored) ? checker_run(&c, s->r->model, &ignored) : NULL;
    checker_close(&c);
    bool yes = r && r->verdict == ASSAY_VIOLATION;
    assay_result_free(r);
    history_free(h);
    return yes;
}

static uint32_t count(const bool *keep, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t o = 0; o < n; o++)
        kept += keep[o];
    return kept;
}

/* Tries to do without `chunk` kept operations from the first-th on. */
static bool cut(struct shrinking *s, uint32_t first, uint32_t chunk)
{
    uint32_t n = s->r->h->n, seen = 0;
    memcpy(s->trial, s->keep, n * sizeof *s->trial);
    for (uint32_t o = 0; o < n; o++)
        if (s->keep[o] && seen++ >= first && seen <= first + chunk)
            s->trial[o] = false;
    drop_orphans(s, s->trial);
    if (!keeps_finals(s, s->trial) || !still_violates(s, s->trial))
        return false;
    memcpy(s->keep, s->trial, n * sizeof *s->keep);
    s->kept = count(s->keep, n);
    return true;
}

static void shrink(void *arg)
{
    struct shrinking *s = arg;
    const history *h = s->r->h;
    s->rw = rw_view(h, &s->mem);
    s->event_of = mem_new(&s->mem, uint32_t, h->n);
    for (uint32_t e = 0; e < s->rw->n; e++)
        s->event_of[s->rw->op[e]] = e;
    s->keep = mem_new_zero(&s->mem, bool, h->n);
    s->trial = mem_new(&s->mem, bool, h->n);
    want_refutation(s);
    want_finals(s);
    if (!still_violates(s, s->keep))
        memset(s->keep, true, h->n * sizeof *s->keep);
    s->kept = count(s->keep, h->n);
    for (uint32_t chunk = s->kept / 2 ? s->kept / 2 : 1;; chunk = chunk > 1 ? chunk / 2 : 1) {
        bool smaller = false;
        for (uint32_t first = 0; first < s->kept;)
            if (cut(s, first, chunk))
                smaller = true;
            else
                first += chunk;
        if (chunk == 1 && !smaller)
            break;
    }
    s->best = history_slice(h, s->keep);
}

assay_history *assay_shrink(const assay_result *r, const assay_options *options, uint32_t *kept,
                            assay_error *e)
{
    bool refuted = evidence_present(r) && r->evidence.pattern != PATTERN_NoSources;
    if (r->verdict != ASSAY_VIOLATION || !refuted) {
        error_set(e, ASSAY_ERROR_USAGE, "only a violation that comes with a refutation can be shrunk");
        return NULL;
    }
    struct shrinking s = {.r = r, .options = options, .e = e};
    error_from_escape(e, escape_run(shrink, &s));
    for (uint32_t o = 0, i = 0; kept && s.best && o < r->h->n; o++)
        if (s.keep[o])
            kept[i++] = o;
    mem_release(&s.mem);
    return s.best;
}
