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
#include "memory/lazy.h"
#include "memory/repeated.h"

#include <string.h>

enum { MOST_CELLS = 1 << 27 }; /* of pso's clocks: half a gigabyte */

static bool clocks_fit(const struct rw *v)
{
    return v->n <= MOST_CELLS / (chains_of_variables_count(v) + 1);
}

static void forced_and_complete(struct job *job, const struct causal *c)
{
    struct forced_order w;
    if (!serial_forced_order(job, c, &w))
        serial_complete(job, &w);
}

static void decide_large_pso(struct job *job, const struct causal *c)
{
    struct lazy l = {.job = job, .rank = c->acyclic ? c->position : job->rw->op, .fixed = {known_final, job->rw}};
    if (!serial_tso_execution(job, c))
        lazy_run(&l);
}

static void run_auto(struct job *job)
{
    bool guess = !job->variant || strcmp(job->variant, "forced") != 0;
    enum memory memory = serial_memory(job);
    struct causal c;
    if (job->rw->twice[1] != ID_NONE || !(job->model->conditions & COND_TOTAL)) {
        job->variant = NULL;
        repeated_run(job);
        return;
    }
    if (serial_thin_air(job) || serial_recorded_order(job))
        return;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    if (memory != MEMORY_PSO && (serial_not_causal(job, &c) || serial_not_convergent(job, &c, false)))
        return;
    if (guess && serial_repaired(job, &c))
        return;
    if (memory == MEMORY_PSO && !clocks_fit(job->rw))
        decide_large_pso(job, &c);
    else
        forced_and_complete(job, &c);
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
