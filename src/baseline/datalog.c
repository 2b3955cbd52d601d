/* SPDX-License-Identifier: Apache-2.0 */
/* The models that need no search as a logic program that clingo solves (baseline/datalog_program.h). Its verdicts come
 * without proof; it is there to be compared with. */
#include "baseline/datalog_program.h"
#include "engine/engine.h"

#include <string.h>

static unsigned rules_of(const struct job *job)
{
    unsigned conditions = job->model->conditions, rules = 0;
    if (conditions & (COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD))
        rules |= DATALOG_CC; /* the others presuppose cc */
    if (conditions & COND_CONVERGENT)
        rules |= DATALOG_CCV;
    if (conditions & COND_PER_THREAD)
        rules |= job->variant && strcmp(job->variant, "cm_1") == 0 ? DATALOG_CM_1 : DATALOG_CM_2;
    rules |= conditions & COND_CCM ? DATALOG_CCM : 0;
    rules |= conditions & COND_WSC ? DATALOG_WSC : 0;
    rules |= conditions & COND_WCCM ? DATALOG_WCCM : 0;
    rules |= conditions & COND_WTSO ? DATALOG_WTSO : 0;
    return rules;
}

static enum pattern pattern_of(const char *name)
{
    for (enum pattern p = PATTERN_NONE + 1; p < PATTERN_COUNT; p++)
        if (strcmp(pattern_name(p), name) == 0)
            return p;
    return PATTERN_NONE;
}

/* Of several patterns the first in the list, which is the simplest to explain, is reported. */
static void found(void *arg, uint32_t history_number, unsigned condition, const char *name)
{
    (void)history_number;
    (void)condition;
    result *out = arg;
    enum pattern p = pattern_of(name), known = out->evidence.pattern;
    out->verdict = ASSAY_VIOLATION;
    out->evidence.pattern = known && known < p ? known : p;
}

static void run(struct job *job)
{
    result *out = job->out;
    struct text program = text_in(job->mem);
    datalog_rules(rules_of(job), &program);
    out->stats.facts = datalog_facts(job->rw, rules_of(job), 0, &program);
    out->verdict = ASSAY_CONSISTENT;
    datalog_solve(&program, job->budget, found, out, job->error);
    if (out->evidence.pattern == PATTERN_ThinAirRead)
        out->evidence.culprit = job->rw->op[job->rw->thin];
}

const struct engine engine_datalog = {
    .name = "datalog",
    .title = "a logic program, solved by clingo",
    .conditions = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD | COND_CCM | COND_WSC | COND_WCCM | COND_WTSO,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"cm_1", "cm_2", NULL},
    .missing = datalog_missing,
    .run = run,
};
