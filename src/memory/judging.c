/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/judging.h"

const struct engine *judging_engine(const struct job *job)
{
    const char *variant;
    unsigned conditions = job->model->conditions;
    return engine_find(conditions & COND_TOTAL ? "auto" : "clock", conditions, &variant, job->error);
}

void judging_init(struct judging *j, struct job *job)
{
    *j = (struct judging){.job = job, .judge = judging_engine(job), .event_of = rw_event_of(job->rw, job->mem)};
}

void judging_release(struct judging *j)
{
    mem_release(&j->working);
    mem_release(&j->judgement.mem);
}

bool judging_is_fine(struct judging *j, const bool *happened, const uint32_t *src)
{
    struct job job = *j->job;
    judging_release(j);
    j->judgement = (result){.h = job.h, .model = job.model};
    j->judgement.evidence = evidence_in(&j->judgement.mem);
    j->working.limit = job.mem->limit;
    rw_decided(j->job->rw, happened, src, &j->view, &j->working);
    job.rw = &j->view;
    job.mem = &j->working;
    job.out = &j->judgement;
    job.variant = NULL;
    job.witness = false; /* most choices have none */
    j->judge->run(&job);
    return j->judgement.verdict == ASSAY_CONSISTENT;
}

void judging_reads(const struct judging *j, void (*name)(void *arg, uint32_t read), void *arg)
{
    const struct evidence *ev = &j->judgement.evidence;
    for (uint32_t i = 0; i < ev->steps.n; i++)
        if (ev->steps.at[i].rule == ASSAY_WR)
            name(arg, j->event_of[ev->steps.at[i].to]);
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        if (ev->reasons.at[i].read != ASSAY_NO_OPERATION) /* a reason may do without a read */
            name(arg, j->event_of[ev->reasons.at[i].read]);
}
