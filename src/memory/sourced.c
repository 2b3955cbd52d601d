/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/sourced.h"

#include "memory/choice.h"
#include "memory/explain.h"
#include "memory/judging.h"
#include "memory/solver.h"

#include <string.h>

struct sourced {
    struct job *job;
    const struct candidates *c;
    const struct rw *v;
    struct choice choice;
    struct judging judging;
    bool *named; /* reads that the clause at hand has */
    VEC(int) clause;
    struct sat sat;
};

/* The choice at hand is a good one. */
static void accept(struct sourced *s)
{
    struct job job = *s->job;
    job.rw = &s->judging.view;
    job.variant = NULL;
    s->job->out->evidence.pattern = PATTERN_NONE;
    s->judging.judge->run(&job);
    if (job.witness)
        explain_sources(&job, s->v, s->choice.src);
}

static void name_read(void *arg, uint32_t e)
{
    struct sourced *s = arg;
    int chosen = choice_chosen(&s->choice, e);
    if (chosen && !s->named[e])
        vec_push(s->job->mem, &s->clause, -chosen);
    s->named[e] = true;
}

static void forbid_choice(struct sourced *s)
{
    vec_clear(&s->clause);
    memset(s->named, 0, s->v->n * sizeof *s->named);
    judging_reads(&s->judging, name_read, s);
    sat_clause(&s->sat, s->clause.at, s->clause.n);
    s->job->out->stats.clauses++;
}

static void search(void *arg)
{
    struct sourced *s = arg;
    s->job->out->verdict = ASSAY_VIOLATION;
    s->job->out->evidence.pattern = PATTERN_NoSources;
    solver_open(s->job, &s->sat);
    if (!choice_state(&s->choice))
        return;
    while (sat_solve(&s->sat)) {
        choice_read(&s->choice);
        if (judging_is_fine(&s->judging, s->choice.happened, s->choice.src)) {
            accept(s);
            return;
        }
        forbid_choice(s);
    }
}

void sourced_run(struct job *job, const struct candidates *candidates)
{
    const struct rw *v = job->rw;
    struct sourced s = {.job = job, .c = candidates, .v = v};
    if (v->twice[1] == ID_NONE) { /* there is nothing to choose */
        job->variant = NULL;
        judging_engine(job)->run(job);
        return;
    }
    judging_init(&s.judging, job);
    choice_init(&s.choice, v, candidates, &s.sat, 1, job->mem);
    s.named = mem_new(job->mem, bool, v->n);
    enum escape left = escape_run(search, &s);
    sat_close(&s.sat);
    judging_release(&s.judging);
    if (left)
        escape_raise(left);
}
