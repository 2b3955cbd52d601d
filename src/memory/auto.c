/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `auto` for sc, tso and pso: from the cheap to the certain.
 *
 * The steps: patterns that every model forbids; the recorded order as a first guess; the causal models that sc and tso
 * imply. (These are cc and ccv. tso implies neither cm nor ccm, and pso implies no causal model.) Then an execution
 * with repair as a second guess, the forced store orders, and a search with backjumping for the open ones. Each step
 * either decides or hands on its results. The variant `forced` leaves the second guess out, so that the last steps can
 * be seen at work.
 *
 * The forced orders of pso have clocks with a lane for each thread and variable. Where they would be too long for the
 * history, the engine searches for an execution of tso, which serves pso, too. If there is none, a SAT solver decides.
 * Source: gradual consistency checking (Zennou, Bouajjani, Enea, Erradi, CAV'19). */
#include "memory/components.h"
#include "memory/lazy.h"
#include "memory/repeated.h"

#include <string.h>

enum {
    MOST_CELLS = 1 << 27,     /* of pso's clocks: half a gigabyte */
    TOO_MANY_CELLS = 1 << 25, /* in that case: the clocks alone cost more than the solver; */
    MANY_THREADS = 256,       /* also with rows as long as this */
};

static uint64_t cells(const struct rw *v, enum buffering memory)
{
    return (uint64_t)v->n * (memory == MEMORY_PSO ? chains_of_variables_count(v) : v->k);
}

static bool clocks_fit(const struct rw *v)
{
    return v->n <= MOST_CELLS / (chains_of_variables_count(v) + 1);
}

/* ---- one component ---- */

/* c: NULL, or clocks, which tell in which order the writes seem to have happened. */
static void solve(struct job *job, const struct causal *c)
{
    job_tries(job, "a SAT solver");
    struct lazy l = {
        .job = job, .rank = c && c->acyclic ? causal_positions(c) : job->rw->op, .fixed = {known_final, job->rw}};
    lazy_run(&l);
}

static void forced_and_complete(struct job *job, const struct causal *c, enum buffering memory)
{
    struct forced_order w;
    job_tries(job, "forced orders and a search");
    if (!serial_forced_order(job, c, &w) && !serial_complete(job, &w, lazy_after(job->rw, cells(job->rw, memory))))
        solve(job, c);
}

static void decide_large_pso(struct job *job, const struct causal *c)
{
    job_tries(job, "an execution of tso");
    if (!serial_tso_execution(job, c, lazy_after(job->rw, cells(job->rw, MEMORY_TSO))))
        solve(job, c);
}

static void decide(struct job *job)
{
    const struct rw *v = job->rw;
    bool guess = !job->variant || strcmp(job->variant, "forced") != 0;
    enum buffering memory = serial_memory(job);
    uint64_t clocks = cells(v, MEMORY_SC); /* of the causal models */
    bool few_pairs = lazy_is_cheap(v);
    struct causal c;
    job->variant = NULL;
    if (few_pairs && guess && (clocks > TOO_MANY_CELLS || v->k > MANY_THREADS)) {
        solve(job, NULL);
        return;
    }
    job_tries(job, "causal models");
    causal_build(&c, v, job->mem, job->budget, &job->out->stats);
    if (memory != MEMORY_PSO && (serial_not_causal(job, &c) || serial_not_convergent(job, &c, false)))
        return;
    if (guess)
        job_tries(job, "an execution with repair");
    if (guess && serial_repaired(job, &c, few_pairs ? lazy_effort(v) : 0))
        return;
    if (few_pairs && guess)
        solve(job, &c);
    else if (memory == MEMORY_PSO && !clocks_fit(v))
        decide_large_pso(job, &c);
    else
        forced_and_complete(job, &c, memory);
}

/* ---- all of them ---- */

struct parts {
    struct job *job;
    struct components components;
    struct mem mem; /* of one component */
};

static void decide_parts(void *arg)
{
    struct parts *p = arg;
    struct evidence *ev = &p->job->out->evidence;
    struct job job = *p->job;
    struct rw view;
    p->job->out->verdict = ASSAY_CONSISTENT;
    for (uint32_t i = 0; i < p->components.count && p->job->out->verdict == ASSAY_CONSISTENT; i++) {
        p->mem.limit = p->job->mem->limit;
        components_view(&p->components, i, p->job->rw, &view, &p->mem);
        job.rw = &view;
        job.mem = &p->mem;
        job.variant = p->job->variant;
        decide(&job);
        mem_release(&p->mem);
    }
    if (p->job->out->verdict == ASSAY_CONSISTENT)
        evidence_join_orders(ev);
    else
        evidence_drop_orders(ev);
    ev->witness &= p->job->out->verdict == ASSAY_CONSISTENT;
}

static void run_auto(struct job *job)
{
    if (job->rw->twice[1] != ID_NONE || !(job->model->conditions & COND_TOTAL)) {
        job->variant = NULL;
        repeated_run(job);
        return;
    }
    job_tries(job, "the recorded order");
    if (serial_thin_air(job) || serial_recorded_order(job))
        return;
    struct parts p = {.job = job, .components = components_of(job->rw, job->mem)};
    if (p.components.count == 1) {
        components_free(&p.components, job->mem);
        decide(job);
        return;
    }
    enum escape left = escape_run(decide_parts, &p);
    mem_release(&p.mem);
    if (left)
        escape_raise(left);
}

const struct engine engine_auto = {
    .name = "auto",
    .title = "gradually: weak models, executions, forced orders, search",
    .conditions = COND_TOTAL | COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD,
    .apart = COND_PER_THREAD,
    .lifts = NEED_UNIQUE_VALUES,
    .variants = (const char *const[]){"repair", "forced", NULL},
    .run = run_auto,
};
