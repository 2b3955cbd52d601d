/* SPDX-License-Identifier: Apache-2.0 */
/* A check of an object, part by part. Each part goes to the first engine of the table that takes it; the engines of single
 * objects, which are the fastest, stand first. The history satisfies the model only if each part does, so the first part that
 * does not ends the check. One that an engine leaves undecided does not: another may still fail.
 *
 * If happens-before is an interval order, linearizability is local: nothing more is asked, and a witness is one order per part.
 * Where the ranks are not those of the times (object/intervals.h), these are put together to one of the whole, so that nobody
 * has to take the ranks on trust.
 *
 * If it is no interval order, the parts may contradict each other. Four things are tried, the cheapest first:
 *   - two interval orders around it, in which parts are judged apart and without a search (calls_tight, calls_loose). An order
 *     that suits the tight one suits the history; what the loose one does not allow, the history does not;
 *   - an execution of the whole (object/execute.c);
 *   - each part in happens-before itself: do the orders found go together?
 *   - an engine looks for one of the whole. */
#include "check/check.h"

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
    const struct engine *g = engine_find(c->options->engine, job->model->conditions, &job->variant, job->error);
    job->asked = true;
    const char *why = job->part->object || g->whole ? run_one(g, job) : "the order is not one of intervals";
    if (!why)
        return g;
    error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s does not apply: %s", g->name, why);
    error_remedy(job->error, "leave -e out: another engine serves");
    escape_raise(ESCAPE_ERROR);
}

static _Noreturn void refuse(const struct job *job)
{
    const char *model = job->model->name;
    if (job->part->object) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "no engine of this version decides %s of the object %s", model,
                  job->part->object->kind);
    } else {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "%s does not apply: happens-before is not an interval order, so the objects cannot be judged apart, "
                  "and exchanges have no place in an order of single operations", model);
        error_remedy(job->error, "record times that tell which operation returned before which was called");
    }
    escape_raise(ESCAPE_ERROR);
}

static const struct engine *run_first(const struct checker *c, struct job *job)
{
    for (int last_resort = 0; last_resort <= 1; last_resort++)
        for (size_t i = 0; engine_table[i]; i++) {
            const struct engine *g = engine_table[i];
            assay_error ignored = {0};
            bool takes = g->on_request == last_resort && (job->part->object || g->whole);
            if (takes && checker_usable(c, g, job->model, &ignored) && !run_one(g, job))
                return g;
        }
    refuse(job);
}

/* What the parts share while they are decided one after another. */
struct parting {
    const struct checker *c;
    struct job *job;
    const char *engine; /* that of all so far, or "several" */
    bool witnessed, undecided;
};

/* The engine has run on a part. */
static void note_engine(struct parting *p, const struct engine *g)
{
    result *r = p->job->out;
    if (r->evidence.orders.n && !vec_last(&r->evidence.orders).count)
        r->evidence.orders.n--; /* all that the part has is pending, and nothing of it was needed */
    p->engine = !p->engine || p->engine == g->name ? g->name : "several";
    p->witnessed &= !g->no_evidence;
    p->undecided |= r->verdict == ASSAY_UNDECIDED;
}

static void run_part(struct parting *p, const struct part *part)
{
    struct job *job = p->job;
    job->part = part;
    budget_look(job->budget);
    const struct engine *g = p->c->options->engine ? run_asked_for(p->c, job) : run_first(p->c, job);
    note_engine(p, g);
}

/* Each part has an order: do they go together, or is there another? */
static void run_whole(struct parting *p)
{
    struct job *job = p->job;
    struct evidence *ev = &job->out->evidence;
    if (p->witnessed && checker_merge(job->calls, ev, job->mem, job->budget))
        return;
    struct part whole = calls_whole(job->calls, job->mem);
    evidence_drop_orders(ev);
    run_part(p, &whole);
    ev->whole = job->out->verdict == ASSAY_VIOLATION;
}

/* ---- two interval orders around happens-before ---- */

/* An engine that decides interval orders without a search takes the part. */
static bool run_fast(struct parting *p, const struct part *part)
{
    struct job *job = p->job;
    job->part = part;
    budget_look(job->budget);
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        assay_error ignored = {0};
        if (g->on_request || g->whole || !checker_usable(p->c, g, job->model, &ignored) || run_one(g, job))
            continue;
        note_engine(p, g);
        return true;
    }
    return false;
}

/* Judges the parts in that order until one violates it. False: it is unknown of one of them. */
static bool run_bound(struct parting *p, const struct calls *bound, struct mem *part_mem)
{
    struct job *job = p->job;
    bool known = true;
    job->calls = bound;
    for (uint32_t i = 0; i < bound->part_n && job->out->verdict == ASSAY_CONSISTENT; i++) {
        known &= run_fast(p, &bound->parts[i]);
        mem_release(part_mem);
    }
    return known && !p->undecided;
}

/* As if nothing had been tried. */
static void forget(struct parting *p, const struct calls *calls)
{
    result *r = p->job->out;
    p->job->calls = calls;
    p->engine = NULL;
    p->witnessed = true;
    p->undecided = false;
    r->verdict = ASSAY_CONSISTENT;
    r->evidence = evidence_in(r->evidence.mem);
}

/* Consistent in an order that has more than happens-before, or a violation in one that has less. */
static bool run_bounds(struct parting *p, struct mem *mem, struct mem *part_mem)
{
    struct job *job = p->job;
    const struct calls *calls = job->calls, *tight = calls_tight(calls, mem, job->budget), *loose = calls_loose(calls, mem);
    struct evidence *ev = &job->out->evidence;
    bool known = run_bound(p, tight, part_mem);
    if (known && job->out->verdict == ASSAY_CONSISTENT &&
        (!job->witness || calls->part_n < 2 || checker_merge(tight, ev, job->mem, job->budget)))
        return true;
    forget(p, calls);
    if (loose)
        run_bound(p, loose, part_mem);
    if (job->out->verdict == ASSAY_VIOLATION)
        return true;
    forget(p, calls);
    return false;
}

/* Does an engine that looks for an order of the whole find one? */
static bool run_tentative(struct parting *p, struct mem *part_mem)
{
    struct job *job = p->job;
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        assay_error ignored = {0};
        if (!g->tentative || !checker_usable(p->c, g, job->model, &ignored))
            continue;
        struct part whole = calls_whole(job->calls, job->mem);
        job->part = &whole;
        if (!run_one(g, job)) {
            note_engine(p, g);
            return true;
        }
        mem_release(part_mem);
    }
    return false;
}

/* A prefix is one in time, which ranks need not follow where clocks are skewed or there are none. What refutes
 * the prefix refutes the part. */
static void leave_prefix(const struct calls *c, int64_t skew, struct evidence *ev)
{
    if (c->derived && (skew || !c->h->call))
        ev->prefix = false;
}

static bool wants_tentative(const struct checker *c, const struct model *m)
{
    const char *variant, *asked = c->options->engine;
    assay_error ignored = {0};
    const struct engine *g = asked ? engine_find(asked, m->conditions, &variant, &ignored) : NULL;
    return g && g->tentative;
}

/* Each part, and if they cannot be judged apart, the whole. */
static void run_all(struct parting *p, struct mem *part_mem, bool wanted)
{
    struct job *job = p->job;
    const struct calls *calls = job->calls;
    result *r = job->out;
    bool several = calls->part_n > 1, local = calls->order == CALLS_INTERVALS;
    job->witness |= several && !local;
    if (several && wants_tentative(p->c, job->model)) {
        struct part all = calls_whole(calls, job->mem);
        run_part(p, &all);
        return;
    }
    for (uint32_t i = 0; i < calls->part_n && r->verdict != ASSAY_VIOLATION; i++) {
        run_part(p, &calls->parts[i]);
        mem_release(part_mem);
    }
    bool whole = several && (!local || (calls->derived && wanted && p->witnessed));
    if (whole && !p->undecided && r->verdict == ASSAY_CONSISTENT)
        run_whole(p);
}

void checker_run_parts(const struct checker *c, struct job *job, struct mem *part_mem)
{
    struct calls_wish wish = checker_wish(job->model, c->options->skew);
    struct mem *mem = job->mem;
    const struct calls *calls = job->calls = calls_view(c->h, &c->objects, wish, mem, job->budget, job->error);
    bool wanted = job->witness, around = wish.split && calls->order != CALLS_INTERVALS && !c->options->engine;
    struct parting p = {.c = c, .job = job, .witnessed = true};
    result *r = job->out;
    job->mem = part_mem;
    r->verdict = ASSAY_CONSISTENT;
    if (!around || (!run_bounds(&p, mem, part_mem) && !run_tentative(&p, part_mem)))
        run_all(&p, part_mem, wanted);
    if (p.engine)
        r->engine = p.engine;
    if (r->verdict != ASSAY_VIOLATION && p.undecided)
        r->verdict = ASSAY_UNDECIDED;
    leave_prefix(calls, c->options->skew, &r->evidence);
    if (!wanted)
        evidence_drop_orders(&r->evidence);
    r->evidence.witness = r->verdict == ASSAY_CONSISTENT && p.witnessed && wanted;
}
