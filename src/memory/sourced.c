/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/sourced.h"

#include "memory/choice.h"
#include "memory/explain.h"
#include "memory/solver.h"

#include <string.h>

struct sourced {
    struct job *job;
    const struct candidates *c;
    const struct engine *judge; /* of a history whose sources are known */
    const struct rw *v;
    struct choice choice;
    struct rw view; /* with the sources chosen */
    uint32_t *event_of;
    bool *named; /* reads that the clause at hand has */
    VEC(int) clause;
    struct sat sat;
    struct mem working; /* of one judgement */
    result judgement;
};

static void judge(struct sourced *s)
{
    struct job job = *s->job;
    s->judgement = (result){.h = s->job->h, .model = s->job->model};
    s->judgement.evidence = evidence_in(&s->judgement.mem);
    s->working.limit = s->job->mem->limit;
    rw_decided(s->v, s->choice.happened, s->choice.src, &s->view, &s->working);
    job.rw = &s->view;
    job.mem = &s->working;
    job.out = &s->judgement;
    job.variant = NULL;
    job.witness = false; /* most choices have none */
    s->judge->run(&job);
}

/* The choice at hand is a good one. */
static void accept(struct sourced *s)
{
    struct job job = *s->job;
    job.rw = &s->view;
    job.variant = NULL;
    s->job->out->evidence.pattern = PATTERN_NONE;
    s->judge->run(&job);
    if (job.witness)
        explain_sources(&job, s->v, s->choice.src);
}

/* The source of the read is part of the refutation; a reason may do without a read. */
static void name_read(struct sourced *s, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION)
        return;
    uint32_t e = s->event_of[op];
    int chosen = choice_chosen(&s->choice, e);
    if (chosen && !s->named[e])
        vec_push(s->job->mem, &s->clause, -chosen);
    s->named[e] = true;
}

static void forbid_choice(struct sourced *s)
{
    const struct evidence *ev = &s->judgement.evidence;
    vec_clear(&s->clause);
    memset(s->named, 0, s->v->n * sizeof *s->named);
    for (uint32_t i = 0; i < ev->steps.n; i++)
        if (ev->steps.at[i].rule == ASSAY_WR)
            name_read(s, ev->steps.at[i].to);
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        name_read(s, ev->reasons.at[i].read);
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
        judge(s);
        if (s->judgement.verdict == ASSAY_CONSISTENT) {
            accept(s);
            return;
        }
        forbid_choice(s);
        mem_release(&s->working);
        mem_release(&s->judgement.mem);
    }
}

const struct engine *sourced_judge(const struct job *job)
{
    const char *variant;
    unsigned conditions = job->model->conditions;
    return engine_find(conditions & COND_TOTAL ? "auto" : "clock", conditions, &variant, job->error);
}

void sourced_run(struct job *job, const struct candidates *candidates)
{
    const struct rw *v = job->rw;
    struct sourced s = {.job = job, .c = candidates, .v = v};
    s.judge = sourced_judge(job);
    if (v->twice[1] == ID_NONE) { /* there is nothing to choose */
        job->variant = NULL;
        s.judge->run(job);
        return;
    }
    choice_init(&s.choice, v, candidates, &s.sat, 1, job->mem);
    s.event_of = rw_event_of(v, job->mem);
    s.named = mem_new(job->mem, bool, v->n);
    enum escape left = escape_run(search, &s);
    sat_close(&s.sat);
    mem_release(&s.working);
    mem_release(&s.judgement.mem);
    if (left)
        escape_raise(left);
}
