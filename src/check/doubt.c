/* SPDX-License-Identifier: Apache-2.0 */
/* The second test is needed beside the first: that a value was never written, say, rests on all operations that might
 * have written it. */
#include "check/doubt.h"

#include "history/last_line.h"

/* ---- does it rest on the last line? ---- */

struct part_test {
    const struct calls *calls; /* NULL: not known */
    uint32_t culprit;
};

static bool in_part(void *arg, uint32_t op)
{
    const struct part_test *t = arg;
    return !t->calls || t->culprit >= t->calls->h->n || t->calls->part_of[op] == t->calls->part_of[t->culprit];
}

struct resting {
    const struct checker *c;
    const result *r;
    struct mem mem;
    bool rests;
};

static void look(void *arg)
{
    struct resting *x = arg;
    const history *h = x->c->h;
    const struct evidence *ev = &x->r->evidence;
    assay_error ignored = {0};
    struct budget unlimited = {0};
    struct part_test test = {.culprit = ev->culprit};
    if ((x->r->model->needs & NEED_CALLS) && !ev->whole)
        test.calls = calls_view(h, &x->c->objects, checker_wish(x->r->model, x->r->skew), &x->mem, &unlimited,
                                &ignored);
    for (uint32_t i = 0; i < h->last_line.ops.n && !x->rests; i++)
        x->rests = evidence_rests_on(x->r, h->last_line.ops.at[i], in_part, &test);
    x->rests |= h->last_line.doubt == DOUBT_SETTING && evidence_rests_on_final(x->r);
}

/* ---- what is left without it ---- */

struct leaving {
    const history *h;
    const struct model *m;
    int64_t skew;
    struct mem mem;
    history *out;
    enum left_out left;
};

static void leave(void *arg)
{
    struct leaving *x = arg;
    bool real_time = (x->m->needs & NEED_TIME) && !x->skew;
    x->left = last_line_left_out(x->h, x->m->needs & NEED_MEMORY, real_time, &x->mem, &x->out);
}

bool doubt_left_out(const history *h, const struct model *m, int64_t skew, history **out, assay_error *e)
{
    struct leaving x = {.h = h, .m = m, .skew = skew};
    enum escape left = escape_run(leave, &x);
    mem_release(&x.mem);
    error_from_escape(e, left);
    *out = !left && x.left == LEFT_OUT_NOTHING ? (history *)h : x.out;
    if (!left && x.left == LEFT_OUT_UNKNOWN)
        last_line_fault(h, "violation", e);
    return !left && x.left != LEFT_OUT_UNKNOWN;
}

/* ---- both ---- */

static bool violated_without(const struct checker *c, const result *r, assay_error *e)
{
    history *rest;
    assay_error ignored = {0};
    assay_options options = *c->options;
    options.engine = NULL;
    if (!doubt_left_out(c->h, r->model, r->skew, &rest, e))
        return false;
    if (rest == c->h)
        return true;
    bool violated = checker_verdict(rest, r->model, &options, c->most_ticks, &ignored) == ASSAY_VIOLATION;
    history_free(rest);
    if (!violated)
        last_line_fault(c->h, "violation", e);
    return violated;
}

bool doubt_allows(const struct checker *c, const result *r, assay_error *e)
{
    if (!c->h->last_line.line || r->verdict != ASSAY_VIOLATION)
        return true;
    struct resting x = {.c = c, .r = r};
    enum escape left = escape_run(look, &x);
    mem_release(&x.mem);
    error_from_escape(e, left);
    if (!left && x.rests)
        last_line_fault(c->h, "violation", e);
    return !left && !x.rests && violated_without(c, r, e);
}
