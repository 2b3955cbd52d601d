/* SPDX-License-Identifier: Apache-2.0 */
/* A history without visibility, in words: the sights of calls with their reasons, and the results that contradict
 * them. */
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

enum { FEW_NAMED = 8, FEW_ANSWERS = 8 }; /* answers: as many as the engine keeps */

static bool says_result(const history *h, uint32_t op)
{
    return !history_pending(h, op) && history_result(h, op).kind != ASSAY_NONE;
}

/* "line 3", "lines 3 and 5", "lines 1, 2, 3 and 12 more" */
static void places(struct text *t, const history *h, const uint32_t *ops, uint32_t n)
{
    uint32_t shown = n > FEW_NAMED + 1 ? FEW_NAMED : n;
    text_printf(t, "%s%s ", history_line(h, ops[0]) ? "line" : "operation", n > 1 ? "s" : "");
    for (uint32_t i = 0; i < shown; i++) {
        text_puts(t, !i ? "" : i + 1 == n ? " and " : ", ");
        text_int(t, history_line(h, ops[i]) ? history_line(h, ops[i]) : ops[i]);
    }
    if (shown < n)
        text_printf(t, " and %u more", (unsigned)(n - shown));
}

/* "1", "1 or 2"; of more than the engine keeps, some */
static void answers(struct text *t, const assay_value *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_puts(t, !i ? "" : i + 1 == n ? " or " : ", ");
        describe_value(t, at[i]);
    }
    if (n == FEW_ANSWERS)
        text_puts(t, ", for instance");
}

/* ---- sights ---- */

void describe_sight(struct text *t, const result *r, uint32_t i)
{
    const struct sight *s = &r->evidence.sights.at[i];
    describe_say(t, r->h, "%O%s%O", s->by, s->path.n ? "  must see  " : "  must have seen  ", s->seen);
}

static bool is_path(const struct sight *s, enum relation first, enum relation second)
{
    return s->path.n == 2 && s->path.path[0] == first && s->path.path[1] == second;
}

static void because_of_result(struct text *t, const result *r, const struct sight *s)
{
    if (!says_result(r->h, s->by)) {
        text_puts(t, "because it could not take effect without it");
        return;
    }
    describe_say(t, r->h, "because without it no choice of the others gives %V", history_written_result(r->h, s->by));
}

static void because_it_came_before(struct text *t, const result *r, const struct sight *s)
{
    const history *h = r->h;
    if (s->path.path[0] == REL_LIN)
        text_puts(t, "because it sees all operations before it");
    else if (h->thread[s->by] == h->thread[s->seen])
        text_puts(t, "because it comes later in the same session");
    else if (!h->call)
        text_puts(t, "because that is known to have returned before it was called");
    else
        text_puts(t, "because that had returned before it was called");
}

/* The path, step by step, for axioms that a user spelled out. */
static void because_of_path(struct text *t, const history *h, const struct sight *s)
{
    describe_say(t, h, "because %P", s->seen);
    for (uint32_t k = 0; k < s->path.n; k++) {
        text_printf(t, " -%s-> ", relation_name((enum relation)s->path.path[k]));
        describe_place(t, h, k + 1 < s->path.n ? s->via[k] : s->by);
    }
}

void describe_sight_because(struct text *t, const result *r, uint32_t i)
{
    const struct sight *s = &r->evidence.sights.at[i];
    const history *h = r->h;
    if (!s->path.n)
        because_of_result(t, r, s);
    else if (s->path.n == 1)
        because_it_came_before(t, r, s);
    else if (is_path(s, REL_VIS, REL_PO))
        describe_say(t, h, "because %P saw that, earlier in the same session", s->via[0]);
    else if (is_path(s, REL_PO, REL_VIS))
        describe_say(t, h, "because it sees %P, which comes later in the session of %P", s->via[0], s->seen);
    else if (is_path(s, REL_VIS, REL_VIS))
        describe_say(t, h, "because it sees %P, which sees %P", s->via[0], s->seen);
    else
        because_of_path(t, h, s);
}

/* ---- the contradiction ---- */

/* "with what it must see, it returns 2, not 1" */
static void one_result(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    describe_operation(t, r->h, ev->culprit);
    if (ev->opposite != ASSAY_NO_OPERATION) {
        describe_say(t, r->h, ": it would see %P, which comes after it", ev->opposite);
        return;
    }
    text_puts(t, ev->sights.n              ? ": with what it must see, it "
                 : r->explanation.sees_all ? ": it sees all that comes before it, in whichever order, and "
                                           : ": whatever it sees, it ");
    if (!says_result(r->h, ev->culprit)) {
        text_puts(t, "cannot take effect");
        return;
    }
    if (r->explanation.allowed.n) {
        text_puts(t, r->explanation.allowed.n == 1 ? "returns " : "can return ");
        answers(t, r->explanation.allowed.at, r->explanation.allowed.n);
        text_puts(t, ", not ");
    } else {
        text_puts(t, "cannot return ");
    }
    token_print(t, r->h, history_written_result(r->h, ev->culprit));
}

static void several_results(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    text_puts(t, "no order explains the results of ");
    places(t, r->h, ev->suspects.at, ev->suspects.n);
    text_puts(t, " together, whatever the other calls returned");
    if (r->explanation.irreducible)
        text_puts(t, "; without any one of them there is an order");
}

void describe_visibility(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (r->explanation.alone) {
        one_result(t, r);
    } else if (ev->suspects.n) {
        several_results(t, r);
    } else {
        describe_operation(t, r->h, ev->culprit);
        text_puts(t, ": where the search got furthest, nothing that it may see explains this result");
    }
}

/* ---- who sees whom ---- */

void describe_view(struct text *t, const result *r, uint32_t i)
{
    const struct sight_view *v = &r->explanation.views.at[i];
    const uint32_t *ops = r->explanation.sight_ops.at;
    describe_say(t, r->h, "%O  must see ", v->by);
    if (v->must_count)
        places(t, r->h, ops + v->must_at, v->must_count);
    else
        text_puts(t, "nothing");
    text_puts(t, ", may see ");
    if (v->may_count)
        places(t, r->h, ops + v->may_at, v->may_count);
    else
        text_puts(t, "nothing else");
}

bool describe_outcome(struct text *t, const result *r, uint32_t i)
{
    const struct sight_outcome *o = &r->explanation.outcomes.at[i];
    if (!o->answer_count)
        return false;
    text_puts(t, "with ");
    if (o->seen_count)
        places(t, r->h, r->explanation.sight_ops.at + o->seen_at, o->seen_count);
    else
        text_puts(t, "nothing else");
    text_puts(t, " it returns ");
    answers(t, r->explanation.outcome_answers.at + o->answer_at, o->answer_count);
    return true;
}
