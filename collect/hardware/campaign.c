/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign on this processor (collect.h): batch by batch; each outcome that had not come up before is checked, and
 * the others count with it. Two bits of an outcome's mark for each model hold the verdict of the check. */
#include "base/budget.h"
#include "base/error.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHAPE_RUNS = 100000,
    RANDOM_RUNS = 1000,
    LARGE = 32, /* operations: larger histories are shrunk before they are shown */
};

static uint64_t bit(size_t model, assay_verdict v)
{
    return UINT64_C(1) << (2 * model + (v == ASSAY_UNDECIDED));
}

bool campaign_violates(uint64_t mark, size_t model)
{
    return mark & bit(model, ASSAY_VIOLATION);
}

bool hardware_promises(const char *model)
{
    return hardware_promise() && assay_model_implies(hardware_promise(), model);
}

static bool interrupted(const struct campaign *c)
{
    return c->interrupt && c->interrupt(NULL);
}

static assay_options check_options(const struct campaign *c)
{
    return (assay_options){ASSAY_OPTIONS_INIT, .object = "memory", .seconds = c->check_seconds,
                           .interrupt = c->interrupt};
}

/* ---- the kept part of a violation ---- */

static char *to_text(const assay_history *h, assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    bool fine = f && assay_history_write(h, "hist", 0, f, e);
    fine &= f && fclose(f) == 0;
    if (fine)
        return text;
    error_from_escape(e, ESCAPE_OUT_OF_MEMORY); /* unless the writer has said more */
    free(text);
    return NULL;
}

/* `r` is the result of `history`. */
static void keep(struct campaign *c, struct campaign_tally *t, bool show, const assay_history *history,
                 const assay_result *r, assay_error *e)
{
    if (!t->example)
        t->example = to_text(history, e);
    if (show)
        c->show(c, r);
}

static void keep_violation(struct campaign *c, size_t model, const assay_history *history, const assay_result *r,
                           assay_error *e)
{
    struct campaign_tally *t = &c->tallies[model];
    bool breaks = hardware_promises(c->models[model]) && !c->broken;
    bool show = !c->shown || breaks;
    c->broken |= breaks;
    c->shown = true;
    if (t->example && !show)
        return;
    assay_options options = check_options(c);
    assay_history *small = assay_history_size(history) > LARGE ? assay_shrink(r, &options, NULL, NULL) : NULL;
    assay_result *again = small ? assay_check(small, c->models[model], &options, NULL) : NULL;
    if (again && assay_result_verdict(again) == ASSAY_VIOLATION)
        keep(c, t, show, small, again, e);
    else
        keep(c, t, show, history, r, e);
    assay_result_free(again);
    assay_history_free(small);
}

/* ---- outcomes ---- */

static bool check_models(struct campaign *c, const assay_history *history, uint64_t *mark, assay_error *e)
{
    assay_options options = check_options(c);
    assay_checker *checker = assay_checker_new(history, &options, e);
    for (size_t i = 0; i < c->model_count && checker && !e->code; i++) {
        assay_result *r = assay_checker_run(checker, c->models[i], e);
        assay_verdict v = r ? assay_result_verdict(r) : ASSAY_CONSISTENT;
        if (v != ASSAY_CONSISTENT)
            *mark |= bit(i, v);
        if (v == ASSAY_VIOLATION) {
            c->tallies[i].histories++;
            keep_violation(c, i, history, r, e);
        }
        assay_result_free(r);
    }
    assay_checker_free(checker);
    return !e->code;
}

static bool check_outcome(struct campaign *c, struct hardware *machine, size_t i, assay_error *e)
{
    assay_history *history = hardware_history(machine, i, e);
    if (!history)
        return false;
    uint64_t *mark = &hardware_outcome(machine, i)->mark;
    bool fine = check_models(c, history, mark, e) && c->outcome(c, history, *mark);
    assay_history_free(history);
    c->outcomes++;
    return fine;
}

static bool take_batch(struct campaign *c, struct hardware *machine, assay_error *e)
{
    for (size_t i = 0; i < hardware_outcomes(machine); i++) {
        const struct hardware_outcome *o = hardware_outcome(machine, i);
        if (o->fresh && !check_outcome(c, machine, i, e))
            return false;
        for (size_t m = 0; m < c->model_count; m++) {
            c->tallies[m].violations += o->mark & bit(m, ASSAY_VIOLATION) ? o->times : 0;
            c->tallies[m].undecided += o->mark & bit(m, ASSAY_UNDECIDED) ? o->times : 0;
        }
    }
    return true;
}

/* ---- a shape ---- */

static uint64_t runs_wanted(const struct campaign *c)
{
    if (c->most_runs)
        return c->most_runs;
    if (c->most_seconds > 0)
        return UINT64_MAX;
    return strcmp(c->hardware.shape, HARDWARE_RANDOM) == 0 ? RANDOM_RUNS : SHAPE_RUNS;
}

static bool run_batches(struct campaign *c, struct hardware *machine, assay_error *e)
{
    double started = budget_now();
    uint64_t wanted = runs_wanted(c);
    bool fine = true;
    while (fine && c->runs < wanted && !interrupted(c) &&
           !(c->most_seconds > 0 && budget_now() - started >= c->most_seconds)) {
        uint64_t done = hardware_batch(machine, wanted - c->runs, e);
        c->runs += done;
        fine = done && take_batch(c, machine, e);
        c->batch(c);
    }
    c->seconds = budget_now() - started;
    return fine;
}

bool campaign_run(struct campaign *c, const char *shape, assay_error *e)
{
    assay_error mine = {0};
    campaign_forget(c);
    c->hardware.shape = shape;
    struct hardware *machine = hardware_new(&c->hardware, &mine);
    if (machine) {
        c->threads = hardware_threads(machine);
        c->operations = hardware_operations(machine);
        c->crowded |= c->threads > hardware_processors();
    }
    bool fine = machine && run_batches(c, machine, &mine);
    hardware_free(machine);
    for (size_t i = 0; i < c->model_count; i++)
        c->open |= c->tallies[i].undecided > 0;
    error_copy(e, &mine);
    return fine;
}

void campaign_forget(struct campaign *c)
{
    for (size_t i = 0; i < c->model_count; i++) {
        free(c->tallies[i].example);
        c->tallies[i] = (struct campaign_tally){0};
    }
    c->runs = c->outcomes = 0;
    c->seconds = 0;
}
