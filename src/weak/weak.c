/* SPDX-License-Identifier: Apache-2.0 */
/* The engines' part of weak.h: a history, its verdict and its evidence. */
#include "weak/line.h"

#include "base/bitset.h"
#include "base/escape.h"
#include "search/calls.h"

#include <string.h>

const char *const weak_variants[] = {"minimal", "naive", "suspects", NULL};

#define X(words) extern const struct line_width line_width_##words;
#include "weak/widths.def"
#undef X

const struct line_width *const line_widths[] = {
#define X(words) &line_width_##words,
#include "weak/widths.def"
#undef X
    NULL};

static const struct line_width *width_for(uint32_t n)
{
    size_t i = 0;
    while (line_widths[i]->most < n)
        i++;
    return line_widths[i];
}

bool weak_solve(struct weak_task *t)
{
    return width_for(t->job->part->n)->search(t);
}

void weak_explain(struct weak_task *t)
{
    width_for(t->job->part->n)->blame(t);
}

static bool witness(void *arg, const struct weak_solution *s)
{
    struct job *job = arg;
    struct evidence *ev = &job->out->evidence;
    const uint32_t *ops = job->part->ops;
    if (!job->witness)
        return true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t at = 0; at < s->length; at++) {
        uint32_t o = s->order[at];
        evidence_place(ev, ops[o]);
        for (uint32_t b = 0; b < at; b++)
            if (bitset_has(s->sees + (size_t)o * s->words, s->order[b]))
                evidence_sees(ev, ops[s->order[b]], ops[o]);
    }
    return true;
}

static bool has_tags(const struct job *job)
{
    const struct object_use *object = job->part->object;
    bool tags = false;
    for (uint32_t i = 0; i < job->part->n && spec_tags_differ(object->spec, &object->setting); i++)
        tags |= history_arity(job->h, job->part->ops[i]) > 0;
    return tags;
}

const char *weak_object_declines(const assay_spec *spec)
{
    if (!spec->create)
        return "the object has no sequential states";
    return spec->choices ? "calls of the object have several outcomes" : NULL;
}

const char *weak_declines(const struct job *job)
{
    return has_tags(job) ? SPEC_TAGS_DIFFER : weak_object_declines(job->part->object->spec);
}

static void explain(void *task)
{
    weak_explain(task);
}

/* The prefix up to the culprit's return is enough if all results that count have been returned by then. */
static bool until_culprit(const struct weak_task *t)
{
    const struct calls *c = t->job->calls;
    const uint32_t *ops = t->job->part->ops;
    for (uint32_t i = 0; i < t->accused.n && c->call; i++)
        if (c->ret[ops[t->accused.at[i]]] > c->ret[ops[t->culprit]])
            return false;
    return c->call != NULL;
}

static void add_sights(const struct weak_task *t, struct evidence *ev)
{
    const uint32_t *ops = t->job->part->ops;
    for (uint32_t i = 0; i < t->sights.n; i++) {
        struct sight s = t->sights.at[i];
        s.by = ops[s.by];
        s.seen = ops[s.seen];
        for (uint32_t k = 0; k + 1 < s.path.n; k++)
            s.via[k] = ops[s.via[k]];
        vec_push(ev->mem, &ev->sights, s);
    }
}

static uint32_t add_ops(const struct weak_task *t, struct explanation *x, const uint32_t *places, uint32_t n)
{
    uint32_t at = x->sight_ops.n;
    for (uint32_t i = 0; i < n; i++)
        vec_push(x->mem, &x->sight_ops, t->job->part->ops[places[i]]);
    return at;
}

static void add_views(const struct weak_task *t, struct explanation *x)
{
    for (uint32_t i = 0; i < t->views.n; i++) {
        const struct weak_view *v = &t->views.at[i];
        uint32_t must = add_ops(t, x, v->must.at, v->must.n), may = add_ops(t, x, v->may.at, v->may.n);
        struct sight_view view = {t->job->part->ops[v->by], must, v->must.n, may, v->may.n};
        vec_push(x->mem, &x->views, view);
    }
}

static void add_outcomes(const struct weak_task *t, struct explanation *x)
{
    for (uint32_t i = 0; i < t->choices.n; i++) {
        const struct weak_choice *c = &t->choices.at[i];
        struct sight_outcome o = {t->job->part->ops[c->by], add_ops(t, x, c->seen, c->n), c->n, x->outcome_answers.n,
                                  c->answers.all.n};
        for (uint32_t k = 0; k < c->answers.all.n; k++)
            vec_push(x->mem, &x->outcome_answers, explanation_copy(x, c->answers.all.at[k]));
        vec_push(x->mem, &x->outcomes, o);
    }
}

static void refute(const struct weak_task *t)
{
    struct evidence *ev = &t->job->out->evidence;
    struct explanation *x = &t->job->out->explanation;
    const uint32_t *ops = t->job->part->ops;
    evidence_part(ev, PATTERN_NoVisibility, ops[t->culprit], until_culprit(t));
    for (uint32_t i = 0; i < t->accused.n; i++)
        evidence_suspect(ev, ops[t->accused.at[i]]);
    for (uint32_t i = 0; i < t->allowed.all.n; i++)
        explanation_allow(x, t->allowed.all.at[i]);
    x->alone = t->alone;
    if (t->alone && t->late != ID_NONE)
        ev->opposite = ops[t->late];
    x->irreducible = t->irreducible;
    x->sees_all = t->sees_all;
    add_sights(t, ev);
    add_views(t, x);
    add_outcomes(t, x);
}

void weak_run(struct job *job, bool by_return)
{
    struct weak_task t = {.job = job,
                          .by_return = by_return,
                          .naive = job->variant && strcmp(job->variant, "naive") == 0,
                          .suspects = job->variant && strcmp(job->variant, "suspects") == 0,
                          .found = witness,
                          .arg = job};
    if (weak_solve(&t))
        return;
    job->out->verdict = ASSAY_VIOLATION;
    enum escape left = !job->explain ? ESCAPE_NONE : escape_run(explain, &t);
    if (left == ESCAPE_OUT_OF_MEMORY) /* else the report would depend on the machine's memory */
        escape_raise(left);
    refute(&t);
}
