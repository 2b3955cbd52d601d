/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/sourced.h"

#include "engine/explain.h"
#include "engine/solver.h"

#include <string.h>

struct sourced {
    struct job *job;
    const struct candidates *c;
    const struct engine *clock;
    struct rw view; /* with the sources chosen */
    uint32_t *event_of;
    bool *named; /* reads that the clause at hand has */
    VEC(int) clause;
    struct sat sat;
    struct mem working; /* of one judgement */
    result judgement;
};

static uint32_t candidates_count(const struct sourced *s, uint32_t e)
{
    return s->view.kind[e] & RW_READS ? s->c->at[e + 1] - s->c->at[e] : 0;
}

/* Each read takes its value from a candidate. False: one has none. */
static bool state_candidates(struct sourced *s)
{
    for (uint32_t e = 0; e < s->view.n; e++) {
        if ((s->view.kind[e] & RW_READS) && !candidates_count(s, e))
            return false;
        vec_clear(&s->clause);
        for (uint32_t i = 0; i < candidates_count(s, e); i++)
            vec_push(s->job->mem, &s->clause, (int)(s->c->at[e] + i) + 1);
        if (s->clause.n)
            sat_clause(&s->sat, s->clause.at, s->clause.n);
    }
    return true;
}

static void choose(struct sourced *s)
{
    for (uint32_t e = 0; e < s->view.n; e++) {
        uint32_t count = candidates_count(s, e), i = s->c->at[e];
        if (!count)
            continue;
        while (!sat_value(&s->sat, (int)i + 1))
            i++;
        s->view.src[e] = s->c->source[i];
    }
}

static void judge(struct sourced *s)
{
    struct job job = *s->job;
    s->judgement = (result){.h = s->job->h, .model = s->job->model};
    s->judgement.evidence = evidence_in(&s->judgement.mem);
    s->working.limit = s->job->mem->limit;
    job.rw = &s->view;
    job.mem = &s->working;
    job.out = &s->judgement;
    job.variant = NULL;
    job.witness = false; /* most choices have none */
    s->clock->run(&job);
}

/* The choice at hand is a good one. */
static void accept(struct sourced *s)
{
    struct job job = *s->job;
    job.rw = &s->view;
    job.variant = NULL;
    s->job->out->evidence.pattern = PATTERN_NONE;
    s->clock->run(&job);
    if (job.witness)
        explain_sources(&job, s->c, s->view.src);
}

/* The source of the read is part of the refutation. */
static void name_read(struct sourced *s, uint32_t op)
{
    uint32_t e = s->event_of[op], i = s->c->at[e];
    if (s->named[e])
        return;
    s->named[e] = true;
    while (s->c->source[i] != s->view.src[e])
        i++;
    vec_push(s->job->mem, &s->clause, -(int)i - 1);
}

static void forbid_choice(struct sourced *s)
{
    const struct evidence *ev = &s->judgement.evidence;
    vec_clear(&s->clause);
    memset(s->named, 0, s->view.n * sizeof *s->named);
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
    if (!state_candidates(s))
        return;
    while (sat_solve(&s->sat)) {
        choose(s);
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

void sourced_run(struct job *job, const struct candidates *candidates)
{
    const char *variant;
    struct sourced s = {.job = job, .c = candidates, .view = *job->rw};
    s.clock = engine_find("clock", &variant, job->error);
    if (job->rw->twice[1] == ID_NONE) { /* there is nothing to choose */
        job->variant = NULL;
        s.clock->run(job);
        return;
    }
    s.view.src = mem_new(job->mem, uint32_t, s.view.n);
    memcpy(s.view.src, job->rw->src, s.view.n * sizeof *s.view.src);
    s.event_of = mem_new(job->mem, uint32_t, s.view.n);
    for (uint32_t e = 0; e < s.view.n; e++)
        s.event_of[s.view.op[e]] = e;
    s.named = mem_new(job->mem, bool, s.view.n);
    enum escape left = escape_run(search, &s);
    sat_close(&s.sat);
    mem_release(&s.working);
    mem_release(&s.judgement.mem);
    if (left)
        escape_raise(left);
}
