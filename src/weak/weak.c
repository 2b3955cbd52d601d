/* SPDX-License-Identifier: Apache-2.0 */
/* The engines' part of weak.h: a history, its verdict and its evidence. */
#include "weak/line.h"

#include "base/bitset.h"
#include "object/calls.h"

#include <string.h>

const char *const weak_variants[] = {"minimal", "naive", "suspects", NULL};

#define X(words) extern const struct line_width line_width_##words;
#include "weak/widths.def"
#undef X

const struct line_width *const line_widths[] = {
#define X(words) &line_width_##words,
#include "weak/widths.def"
#undef X
    NULL};

bool weak_solve(struct weak_task *t)
{
    size_t i = 0;
    while (line_widths[i]->most < t->job->part->n)
        i++;
    return line_widths[i]->search(t);
}

static bool witness(void *arg, const struct weak_solution *s)
{
    struct job *job = arg;
    struct evidence *ev = &job->out->evidence;
    const uint32_t *ops = job->part->ops;
    if (!job->witness)
        return true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t at = 0; at < s->length; at++) {
        uint32_t o = s->order[at];
        evidence_place(ev, ops[o]);
        for (uint32_t b = 0; b < at; b++)
            if (bitset_has(s->sees + (size_t)o * s->words, s->order[b]))
                evidence_sees(ev, ops[s->order[b]], ops[o]);
    }
    return true;
}

static bool has_tags(const struct job *job)
{
    const struct object_use *object = job->part->object;
    bool tags = false;
    for (uint32_t i = 0; i < job->part->n && spec_tags_differ(object->spec, &object->setting); i++)
        tags |= history_arity(job->h, job->part->ops[i]) > 0;
    return tags;
}

const char *weak_object_declines(const assay_spec *spec)
{
    if (!spec->create)
        return "the object has no sequential states";
    return spec->choices ? "calls of the object have several outcomes" : NULL;
}

const char *weak_declines(const struct job *job)
{
    return has_tags(job) ? SPEC_TAGS_DIFFER : weak_object_declines(job->part->object->spec);
}

void weak_run(struct job *job, bool by_return)
{
    struct weak_task t = {.job = job,
                          .by_return = by_return,
                          .naive = job->variant && strcmp(job->variant, "naive") == 0,
                          .suspects = job->variant && strcmp(job->variant, "suspects") == 0,
                          .found = witness,
                          .arg = job};
    if (weak_solve(&t))
        return;
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&job->out->evidence, PATTERN_NoVisibility, job->part->ops[t.culprit], job->calls->call != NULL);
    for (uint32_t i = 0; i < t.accused.n; i++)
        evidence_suspect(&job->out->evidence, job->part->ops[t.accused.at[i]]);
}
