/* SPDX-License-Identifier: Apache-2.0 */
/* A check: does the model apply (applies.c)? Which engine decides it (choose.c)? Run that within the budgets.
 *
 * An engine runs inside escape_run. An escape for a budget becomes the verdict `undecided` with the reason, and
 * everything that the engine held is released with its memory. */
#include "check/check.h"

#include "base/options.h"
#include "check/applies.h"
#include "check/choose.h"
#include "check/doubt.h"
#include "spec/roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opening {
    struct checker *c;
    assay_error *e;
    bool fine;
};

static void open_objects(void *arg)
{
    struct opening *o = arg;
    struct checker *c = o->c;
    struct object_choice choice = {c->options->object, c->options->spec};
    o->fine = objects_of(c->h, choice, &c->mem, &c->objects, o->e);
}

bool checker_open(struct checker *c, const history *h, const assay_options *options, assay_error *e)
{
    *c = (struct checker){.h = h};
    c->options = &c->given;
    if (!options_take(&c->given, sizeof c->given, options, e))
        return false;
    if (!contracts_allow(c->options->spec, e))
        return false;
    struct opening o = {.c = c, .e = e};
    enum escape left = escape_run(open_objects, &o);
    error_from_escape(e, left);
    c->mem.limit = c->options->memory; /* of the checks; a byte per operation for its kind is no check yet */
    return o.fine && !left;
}

void checker_close(struct checker *c)
{
    mem_release(&c->mem);
}

/* Only writes to memories and registers, of which none can go wrong? */
static bool is_never_read(const struct checker *c)
{
    for (uint32_t op = 0; op < c->h->n; op++) {
        const assay_spec *spec = c->objects.n ? objects_use(&c->objects, op)->spec : NULL;
        if (spec != &spec_memory && spec != &spec_register)
            return false;
        unsigned method = objects_method(&c->objects, op)->id; /* the same numbers in both */
        if (!history_pending(c->h, op) && method != MEMORY_WRITE && method != MEMORY_FENCE)
            return false;
    }
    return !c->h->final.n;
}

static const char only_one_speaks[] = "only one thread has calls that say something, and those of others are left out";

/* Did the log have calls of a thread that has no operation? */
static bool others_left_out(const history *h)
{
    for (uint32_t i = 0; i < h->silent_calls.n; i++) {
        uint32_t t = 0, name = h->silent_calls.at[i].thread;
        while (t < h->threads.n && !(h->threads.at[t].name == name && h->threads.at[t].count))
            t++;
        if (t == h->threads.n)
            return true;
    }
    return false;
}

static const char *vacuous(const struct checker *c)
{
    uint32_t busy = 0;
    for (uint32_t t = 0; t < c->h->threads.n; t++)
        busy += c->h->threads.at[t].count > 0;
    if (!c->h->n)
        return "the history is empty";
    if (busy == 1 && others_left_out(c->h))
        return only_one_speaks;
    if ((c->rw && !c->rw->reads && !c->rw->final) || is_never_read(c))
        return "nothing is read";
    bool laid_out = c->txns && txn_view_complete(c->txns);
    if (laid_out && !c->txns->n)
        return "no transaction is known to have committed";
    if (laid_out && !c->txns->reads_at[c->txns->n])
        return "no transaction reads anything but its own writes";
    return busy == 1 ? "there is only one thread" : NULL;
}

struct run {
    const struct choice *choice;
    struct job *job;
    struct mem part; /* of an object: the working memory of one part */
};

static void run_engine(void *arg)
{
    struct run *run = arg;
    budget_look(run->job->budget); /* an interrupt that came before counts, too */
    if (run->job->model->needs & NEED_CALLS)
        checker_run_parts(run->choice, run->job, &run->part);
    else
        run->choice->first->run(run->job);
}

/* The memory budget is for everything a check holds; the engine gets the part that the view leaves. */
static size_t memory_left(const struct checker *c)
{
    size_t limit = c->options->memory;
    return !limit ? 0 : limit > c->mem.used ? limit - c->mem.used : 1;
}

/* Why, the steps that were begun, and two writes of one value: sources that are open make a history hard. c is NULL if
 * the view of the history is not whole. */
static void undecided(const struct checker *c, result *r, enum escape why)
{
    char steps[UNDECIDED_TEXT] = "";
    size_t size = sizeof steps, n = 0;
    for (size_t i = 0; r->tried[i] && n < size; i++)
        n += (size_t)snprintf(steps + n, size - n, "%s %s", i ? "," : "; tried:", r->tried[i]);
    if (c && c->rw && c->rw->twice[0] != ID_NONE && history_line(c->h, c->rw->twice[0]) && n < size)
        snprintf(steps + n, size - n, "; lines %" PRIu32 " and %" PRIu32 " write the same value",
                 history_line(c->h, c->rw->twice[0]), history_line(c->h, c->rw->twice[1]));
    mem_release(&r->mem);
    r->evidence = evidence_in(&r->mem);
    r->explanation = explanation_in(&r->mem);
    result_undecided(r, (enum undecided)why, "%s", steps);
}

/* Runs the engine and fills in the result; false with an error. */
static bool run_within_budget(const struct choice *choice, struct budget *budget, result *r, assay_error *e)
{
    const struct checker *c = choice->c;
    struct mem working = {.limit = memory_left(c)};
    assay_error mine = {0};
    struct job job = {.h = c->h,
                      .rw = c->rw,
                      .txns = c->txns,
                      .model = r->model,
                      .variant = choice->variant,
                      .asked = choice->asked,
                      .visibility = c->options->visibility,
                      .witness = c->options->evidence,
                      .explain = c->explain,
                      .mem = &working,
                      .budget = budget,
                      .out = r,
                      .error = &mine};
    struct run run = {.choice = choice, .job = &job, .part = {.limit = working.limit}};
    r->mem.limit = working.limit;
    enum escape left = escape_run(run_engine, &run);
    r->mem.limit = 0; /* reports may add to it */
    r->bytes = c->mem.peak + working.peak + run.part.peak + r->mem.peak;
    mem_release(&working);
    mem_release(&run.part);
    if (left == ESCAPE_ERROR) {
        error_copy(e, &mine);
        return false;
    }
    if (left)
        undecided(c, r, left);
    return true;
}

/* Results outlive the options and models that were spelled out for them. */
static void remember_words(const struct checker *c, result *r)
{
    if (r->model->axioms && c->options->visibility)
        snprintf(r->visibility, sizeof r->visibility, "%s", c->options->visibility);
    if (model_find(r->model->name) == r->model)
        return;
    r->spelled = *r->model;
    snprintf(r->spelling, sizeof r->spelling, "%s", r->model->name);
    r->spelled.name = r->spelling;
    r->spelled.axioms = r->spelling + (r->model->axioms - r->model->name);
    r->model = &r->spelled;
}

static result *result_new(const struct checker *c, const struct model *m, const char *engine)
{
    result *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    *r = (result){.h = c->h, .model = m, .engine = engine, .skew = c->options->skew};
    remember_words(c, r);
    snprintf(r->object, sizeof r->object, "%s", objects_kind(&c->objects));
    r->facts = facts_of(c->objects.n == 1 ? c->objects.at[0].spec : NULL);
    r->evidence = evidence_in(&r->mem);
    r->explanation = explanation_in(&r->mem);
    pthread_mutex_init(&r->explaining, NULL);
    return r;
}

result *checker_implied(const struct checker *c, const struct model *m, const result *known, assay_error *e)
{
    result *r = result_new(c, m, known->engine);
    if (!r) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    r->verdict = known->verdict;
    r->vacuous = r->verdict == ASSAY_VIOLATION ? NULL : vacuous(c);
    r->from = known;
    return r;
}

static void remember_blamed(const struct checker *c, result *r)
{
    uint32_t culprit = r->evidence.culprit;
    if (culprit >= c->h->n || !c->objects.n) {
        memcpy(r->blamed, r->object, sizeof r->blamed);
        return;
    }
    const struct object_use *use = objects_use(&c->objects, culprit);
    snprintf(r->blamed, sizeof r->blamed, "%s", use->kind);
    r->facts = facts_of(use->spec);
}

result *checker_run(struct checker *c, const struct model *m, assay_error *e)
{
    double start = budget_now();
    struct budget budget = budget_begin(c->options);
    budget.most = c->most_ticks;
    struct choice choice;
    enum escape left;
    bool fits = applies_model(c, m, &left, e);
    if (!fits && !left)
        return NULL;
    result *r = choose(&choice, c, m, e) ? result_new(c, m, choice.first->name) : NULL;
    if (!r) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY); /* unless choose has said more */
        return NULL;
    }
    if (!fits) {
        undecided(NULL, r, left);
    } else if (!run_within_budget(&choice, &budget, r, e)) {
        assay_result_free(r);
        return NULL;
    }
    if (!doubt_allows(c, r, e)) {
        assay_result_free(r);
        return NULL;
    }
    r->vacuous = r->verdict == ASSAY_VIOLATION ? NULL : vacuous(c);
    remember_blamed(c, r);
    r->seconds = budget_now() - start;
    return r;
}

result *checker_limited(const history *h, const struct model *m, const assay_options *options, explainer *explain,
                        uint64_t ticks, assay_error *e)
{
    struct checker c;
    result *r = NULL;
    if (checker_open(&c, h, options, e)) {
        c.explain = explain;
        c.most_ticks = ticks;
        r = checker_run(&c, m, e);
    }
    checker_close(&c);
    return r;
}

result *checker_once(const history *h, const struct model *m, const assay_options *options, explainer *explain,
                     assay_error *e)
{
    return checker_limited(h, m, options, explain, 0, e);
}

assay_verdict checker_verdict(const history *h, const struct model *m, const assay_options *options, uint64_t ticks,
                              assay_error *e)
{
    result *r = checker_limited(h, m, options, NULL, ticks, e);
    assay_verdict verdict = r ? r->verdict : ASSAY_UNDECIDED;
    assay_result_free(r);
    return verdict;
}
