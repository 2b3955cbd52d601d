/* SPDX-License-Identifier: Apache-2.0 */
/* A check of an object: part by part, since linearizability is local. The history satisfies the model iff each part
 * does, so the first part that does not ends the check, and a witness is one order per part. One that an engine leaves
 * undecided does not: another may still fail. Each part goes to the
 * first engine of the table that takes it; the engines of single objects, which are the fastest, stand first. */
#include "check.h"

/* Why the engine does not decide the part, or NULL: then it has. */
static const char *run_one(const struct engine *g, struct job *job)
{
    const char *why = g->declines ? g->declines(job) : NULL;
    if (why)
        return why;
    job->declined = NULL;
    job->out->engine = g->name; /* whatever becomes of it: a budget may end it */
    g->run(job);
    return job->declined;
}

static const struct engine *run_asked_for(const struct checker *c, struct job *job)
{
    const struct engine *g = engine_find(c->options->engine, &job->variant, job->error);
    job->asked = true;
    const char *why = run_one(g, job);
    if (!why)
        return g;
    error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s does not apply: %s", g->name, why);
    error_remedy(job->error, "leave -e out: another engine serves");
    escape_raise(ESCAPE_ERROR);
}

static const struct engine *run_first(const struct checker *c, struct job *job)
{
    for (int last_resort = 0; last_resort <= 1; last_resort++)
        for (size_t i = 0; engine_table[i]; i++) {
            const struct engine *g = engine_table[i];
            assay_error ignored = {0};
            if (g->on_request == last_resort && checker_usable(c, g, job->model, &ignored) && !run_one(g, job))
                return g;
        }
    error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "no engine of this version decides %s of the object %s",
              job->model->name, job->part->object->kind);
    escape_raise(ESCAPE_ERROR);
}

void checker_run_parts(const struct checker *c, struct job *job, struct mem *part_mem)
{
    struct calls_wish wish = checker_wish(job->model, c->options->skew);
    job->calls = calls_view(c->h, &c->objects, wish, job->mem, job->budget, job->error);
    job->mem = part_mem;
    result *r = job->out;
    const char *engine = NULL;
    bool witnessed = job->witness, undecided = false;
    r->verdict = ASSAY_CONSISTENT;
    for (uint32_t p = 0; p < job->calls->part_n && r->verdict != ASSAY_VIOLATION; p++) {
        job->part = &job->calls->parts[p];
        budget_look(job->budget);
        const struct engine *g = c->options->engine ? run_asked_for(c, job) : run_first(c, job);
        if (r->evidence.orders.n && !vec_last(&r->evidence.orders).count)
            r->evidence.orders.n--; /* all that the part has is pending, and nothing of it was needed */
        engine = !engine || engine == g->name ? g->name : "several";
        witnessed &= !g->no_evidence;
        undecided |= r->verdict == ASSAY_UNDECIDED;
        mem_release(part_mem);
    }
    if (engine)
        r->engine = engine;
    if (r->verdict != ASSAY_VIOLATION && undecided)
        r->verdict = ASSAY_UNDECIDED;
    r->evidence.witness = r->verdict == ASSAY_CONSISTENT && witnessed;
}
