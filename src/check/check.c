/* SPDX-License-Identifier: Apache-2.0 */
/* A check: does the model apply, which engine decides it, run that within the budgets.
 *
 * Models state conditions and needs, engines which conditions they decide and what they need: the match is
 * made here and nowhere else. An engine runs inside escape_run; an escape for a budget becomes the verdict
 * `undecided` with the reason, and whatever the engine held is released with its memory. */
#include "check/check.h"

#include "model/axioms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const assay_options no_options;

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
    *c = (struct checker){.h = h, .options = options ? options : &no_options};
    struct opening o = {.c = c, .e = e};
    enum escape left = escape_run(open_objects, &o);
    error_from_escape(e, left);
    c->mem.limit = c->options->memory; /* of the checks; a byte per operation to tell what they are is no check yet */
    return o.fine && !left;
}

void checker_close(struct checker *c)
{
    mem_release(&c->mem);
}

/* ---- does the model apply? ---- */

static uint32_t first_transaction(const history *h)
{
    static const char *const methods[] = {"begin", "commit", "abort"};
    uint32_t names[3];
    for (int i = 0; i < 3; i++)
        names[i] = names_find(&h->names, methods[i], strlen(methods[i]));
    for (uint32_t o = 0; o < h->n; o++)
        for (int i = 0; i < 3; i++)
            if (h->method[o] == names[i])
                return o;
    return ID_NONE;
}

static void build_view(void *arg)
{
    struct checker *c = arg;
    c->rw = rw_view(c->h, c->finals, &c->mem);
}

/* The view that the model looks at: declared last values count where store orders are total. */
static enum escape look(struct checker *c, const struct model *m)
{
    c->finals = c->h->final.n && (m->conditions & COND_TOTAL);
    c->rw = c->views[c->finals];
    enum escape left = c->rw ? ESCAPE_NONE : escape_run(build_view, c);
    c->views[c->finals] = c->rw;
    return left;
}

static const char *missing_part(const struct engine *g)
{
    return g->missing ? g->missing() : NULL;
}

/* The engine that would do without unique values if it were not missing a part; or NULL. */
static const struct engine *missing_lifter(const struct model *m)
{
    for (size_t i = 0; engine_table[i]; i++)
        if ((engine_table[i]->lifts & NEED_UNIQUE_VALUES) && engine_decides(engine_table[i], m->conditions) && missing_part(engine_table[i]))
            return engine_table[i];
    return NULL;
}

/* Names the operations; the caller gives the remedy. */
static void refuse_twice(const struct checker *c, const char *name, assay_error *e)
{
    const history *h = c->h;
    uint32_t first = c->rw->twice[0], second = c->rw->twice[1];
    if (first == ID_NONE)
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: a write of the variable's initial value", name);
    else if (h->line[first])
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: the value of the write in line %u is written again", name,
                      h->line[first]);
    else
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: operations %u and %u write the same value to one variable", name,
                      first, second);
}

static void refuse_values(const struct checker *c, const struct model *m, assay_error *e)
{
    const struct engine *g = missing_lifter(m);
    refuse_twice(c, m->name, e);
    if (g)
        error_remedy(e, "the engine %s, which needs no unique values, cannot run: %s; build with one, or record each write "
                     "of a variable with a value of its own", g->name, missing_part(g));
    else
        error_remedy(e, "this model needs unique values: record each write of a variable with a value of its own");
}

/* Are values unique, where the model asks for that and the need is not lifted? */
static bool values_fit(const struct checker *c, const struct model *m, unsigned lifted)
{
    return !(m->needs & ~lifted & NEED_UNIQUE_VALUES) || !c->rw || c->rw->twice[1] == ID_NONE;
}

static unsigned lifted_by_some_engine(const struct model *m)
{
    unsigned lifted = 0;
    for (size_t i = 0; engine_table[i]; i++)
        if (engine_decides(engine_table[i], m->conditions) && !missing_part(engine_table[i]))
            lifted |= engine_table[i]->lifts;
    return lifted;
}

static bool unfit(const struct model *m, assay_error *e, const char *why, const char *remedy)
{
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "%s does not apply: %s", m->name, why);
    error_remedy(e, "%s", remedy);
    return false;
}

/* Is the object known, be it that the history is empty? */
static bool object_known(const struct checker *c)
{
    return c->h->n || c->h->objects.n || c->options->object || c->options->spec;
}

static bool some_object_has(const struct checker *c, const char *method)
{
    bool has = false;
    if (object_known(c))
        for (uint32_t i = 0; i < c->objects.n && !has; i++)
            has = spec_has_method(c->objects.at[i].spec, method);
    else
        for (size_t i = 0; spec_table[i] && !has; i++)
            has = spec_has_method(spec_table[i], method);
    return has;
}

/* Are the levels by method well formed, and about methods that there are? */
static bool visibility_fits(const struct checker *c, const struct model *m, assay_error *e)
{
    struct visibility v;
    if (!visibility_parse(m->axioms, c->options->visibility, &v, e))
        return false;
    for (uint32_t i = 0; i < v.n; i++)
        if (!some_object_has(c, v.at[i].method)) {
            error_set(e, ASSAY_ERROR_USAGE, object_known(c) ? "the object %s has no method '%s'" : "no %s has a method '%s'",
                      object_known(c) ? objects_kind(&c->objects) : "object", v.at[i].method);
            error_remedy(e, "`assay list objects --json` shows the methods");
            return false;
        }
    return true;
}

/* Models of calls; the others are those of a memory. */
static bool calls_fit(const struct checker *c, const struct model *m, assay_error *e)
{
    if (m->axioms && !visibility_fits(c, m, e))
        return false;
    if ((m->needs & NEED_TIME) && c->h->n && history_times(c->h) == TIMES_NONE)
        return unfit(m, e, "the history has no real time",
                     "record when each operation was called and returned: `@ 120..180`, or calls and returns in order");
    if ((m->needs & NEED_ONE_OBJECT) && c->objects.n > 1)
        return unfit(m, e, "the history has several objects", "it is not enough to check them one by one");
    if ((m->needs & NEED_NO_MEMORY) && objects_all(&c->objects, &spec_memory))
        return unfit(m, e, "of a memory this is sc", "check sc");
    if (c->h->final.n)
        return unfit(m, e, "the history has @final values", "they are for the models of memories with store orders");
    return true;
}

/* False with an error, or, when building the view ran out of a budget, with the reason in *left. */
static bool applies(struct checker *c, const struct model *m, enum escape *left, assay_error *e)
{
    *left = ESCAPE_NONE;
    if ((m->needs & NEED_CALLS) && !calls_fit(c, m, e))
        return false;
    if ((m->needs & NEED_MEMORY) && !objects_all(&c->objects, &spec_memory))
        return unfit(m, e, "the object is not a memory", "it speaks of reads and writes of variables");
    if (!objects_all(&c->objects, &spec_memory))
        return true;
    uint32_t transaction = first_transaction(c->h);
    if (transaction != ID_NONE) {
        history_fault(c->h, transaction, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: the history has transactions", m->name);
        error_remedy(e, "this version has no transactional models");
        return false;
    }
    if (!(m->needs & NEED_MEMORY))
        return true;
    if ((*left = look(c, m)))
        return false;
    if (!values_fit(c, m, lifted_by_some_engine(m))) {
        refuse_values(c, m, e);
        return false;
    }
    return true;
}

bool checker_applies(struct checker *c, const struct model *m, assay_error *e)
{
    enum escape left;
    bool fits = applies(c, m, &left, e);
    error_from_escape(e, left);
    if (fits && !values_fit(c, m, 0)) {
        refuse_values(c, m, e);
        return false;
    }
    return fits;
}

const struct model *checker_strongest(struct checker *c, assay_error *e)
{
    const struct model *best = NULL;
    assay_error why = {0};
    for (size_t i = 0; model_table[i]; i++) {
        const struct model *m = model_table[i];
        assay_error mine = {0};
        enum escape left;
        if (m->axioms) /* weak consistency is for those who ask */
            continue;
        if (!applies(c, m, &left, &mine) && !left)
            why = mine;
        else if (!best || !model_implies(best, m)) /* the table goes from weak to strong */
            best = m;
    }
    if (!best && e && !e->code)
        *e = why;
    return best;
}

/* ---- which engine? ---- */

bool checker_usable(const struct checker *c, const struct engine *g, const struct model *m, assay_error *e)
{
    const char *missing = missing_part(g);
    if (missing) {
        error_set(e, ASSAY_ERROR_MISSING, "the engine %s cannot run: %s", g->name, missing);
        return false;
    }
    if (!engine_decides(g, m->conditions)) {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s does not decide %s", g->name, m->name);
        error_remedy(e, "leave -e out, or see `assay list engines`");
        return false;
    }
    if (!values_fit(c, m, g->lifts)) {
        refuse_twice(c, g->name, e);
        error_remedy(e, "leave -e out: another engine does without unique values");
        return false;
    }
    if (g->most_events && c->h->n > g->most_events) {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE,
                  "the engine %s is for histories of at most %u operations, this one has %u", g->name,
                  g->most_events, c->h->n);
        error_remedy(e, "leave -e out");
        return false;
    }
    return true;
}

/* No engine takes it: because of the size, if one would take it otherwise. */
static void refuse_all(const struct checker *c, const struct model *m, assay_error *e)
{
    uint32_t most = 0;
    for (size_t i = 0; engine_table[i]; i++)
        if (engine_decides(engine_table[i], m->conditions) && engine_table[i]->most_events > most)
            most = engine_table[i]->most_events;
    if (most && c->h->n > most)
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE,
                  "%s does not apply: it is decided for at most %u operations, and there are %u", m->name, most, c->h->n);
    else
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no engine of this version decides %s", m->name);
}

static const struct engine *choose(const struct checker *c, const struct model *m, const char **variant,
                                   assay_error *e)
{
    *variant = NULL;
    if (c->options->engine) {
        const struct engine *g = engine_find(c->options->engine, m->conditions, variant, e);
        return g && checker_usable(c, g, m, e) ? g : NULL;
    }
    for (int last_resort = 0; last_resort <= 1; last_resort++)
        for (size_t i = 0; engine_table[i]; i++) {
            assay_error ignored = {0};
            if (engine_table[i]->on_request == last_resort && checker_usable(c, engine_table[i], m, &ignored))
                return engine_table[i];
        }
    refuse_all(c, m, e);
    return NULL;
}

/* ---- the run ---- */

static const char *vacuous(const struct checker *c)
{
    if (!c->h->n)
        return "the history is empty";
    if (c->rw && !c->rw->reads && !c->rw->final)
        return "nothing is read";
    uint32_t busy = 0;
    for (uint32_t t = 0; t < c->h->threads.n; t++)
        busy += c->h->threads.at[t].count > 0;
    return busy == 1 ? "there is only one thread" : NULL;
}

struct run {
    const struct checker *c;
    const struct engine *engine;
    struct job *job;
    struct mem part; /* of an object: the working memory of one part */
};

static void run_engine(void *arg)
{
    struct run *run = arg;
    budget_look(run->job->budget); /* an interrupt that came before counts, too */
    if (run->job->model->needs & NEED_CALLS)
        checker_run_parts(run->c, run->job, &run->part);
    else
        run->engine->run(run->job);
}

/* The memory budget is for everything a check holds; what is not spent on the view is the engine's. */
static size_t memory_left(const struct checker *c)
{
    size_t limit = c->options->memory;
    return !limit ? 0 : limit > c->mem.used ? limit - c->mem.used : 1;
}

static void undecided(result *r, enum escape why)
{
    mem_release(&r->mem);
    r->evidence = evidence_in(&r->mem);
    r->verdict = ASSAY_UNDECIDED;
    r->undecided = escape_text(why);
}

/* Runs the engine and fills in the result; false with an error. */
static bool run_within_budget(struct checker *c, const struct engine *g, const char *variant,
                              struct budget *budget, result *r, assay_error *e)
{
    struct mem working = {.limit = memory_left(c)};
    assay_error mine = {0};
    struct job job = {.h = c->h,
                      .rw = c->rw,
                      .model = r->model,
                      .variant = variant,
                      .visibility = c->options->visibility,
                      .witness = c->options->evidence,
                      .mem = &working,
                      .budget = budget,
                      .out = r,
                      .error = &mine};
    struct run run = {.c = c, .engine = g, .job = &job, .part = {.limit = working.limit}};
    r->mem.limit = working.limit;
    enum escape left = escape_run(run_engine, &run);
    r->mem.limit = 0; /* reports may add to it */
    r->bytes = c->mem.peak + working.peak + run.part.peak + r->mem.peak;
    mem_release(&working);
    mem_release(&run.part);
    if (left == ESCAPE_ERROR) {
        if (e && !e->code)
            *e = mine;
        return false;
    }
    if (left)
        undecided(r, left);
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
    r->evidence = evidence_in(&r->mem);
    return r;
}

result *checker_implied(const struct checker *c, const struct model *m, const result *stronger, assay_error *e)
{
    result *r = result_new(c, m, stronger->engine);
    if (r)
        r->vacuous = stronger->vacuous;
    else
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    return r;
}

result *checker_run(struct checker *c, const struct model *m, assay_error *e)
{
    double start = budget_now();
    struct budget budget = budget_begin(c->options);
    const char *variant;
    enum escape left;
    bool fits = applies(c, m, &left, e);
    if (!fits && !left)
        return NULL;
    const struct engine *g = choose(c, m, &variant, e);
    result *r = g ? result_new(c, m, g->name) : NULL;
    if (!r) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY); /* unless choose has said more */
        return NULL;
    }
    if (!fits) {
        undecided(r, left);
    } else if (!run_within_budget(c, g, variant, &budget, r, e)) {
        assay_result_free(r);
        return NULL;
    }
    r->vacuous = r->verdict == ASSAY_VIOLATION ? NULL : vacuous(c);
    r->seconds = budget_now() - start;
    return r;
}
