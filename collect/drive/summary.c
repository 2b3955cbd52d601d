/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/summary.h"

#include <stdio.h>
#include <string.h>

static void sum_staleness(struct drive_staleness *to, const struct drive_staleness *from)
{
    to->reads += from->reads;
    to->stale += from->stale;
    to->versions = from->versions > to->versions ? from->versions : to->versions;
    to->ns = from->ns > to->ns ? from->ns : to->ns;
}

static void sum_durability(struct drive_summary *s, const struct drive_record *r)
{
    const struct drive_durability *from = &r->tally.counts.durability;
    struct drive_durability *to = &s->durability;
    bool bad = from->lost || from->duplicated || from->unexpected;
    to->acknowledged += from->acknowledged;
    to->lost += from->lost;
    to->duplicated += from->duplicated;
    to->unexpected += from->unexpected;
    to->missed += from->missed;
    s->judged += from->judged;
    s->differ += from->judged && !from->agreed;
    if (bad && (!s->first_loss || r->number < s->first_loss)) {
        s->first_loss = r->number;
        to->example_count = from->example_count;
        memcpy(to->examples, from->examples, sizeof to->examples);
    }
}

/* They come in any order. */
static void sum_cut(struct drive_summary *s, uint64_t number)
{
    size_t n = s->cut < DRIVE_CUT_NAMED ? (size_t)s->cut : DRIVE_CUT_NAMED;
    s->cut++;
    for (size_t i = 0; i < n; i++)
        if (number < s->cut_numbers[i]) {
            uint64_t later = s->cut_numbers[i];
            s->cut_numbers[i] = number;
            number = later;
        }
    if (n < DRIVE_CUT_NAMED)
        s->cut_numbers[n] = number;
}

/* The first history that violates a model, or, once the promise is broken, the first that does that. */
static void note_violation(struct drive_summary *s, const char *promise, uint64_t number, const char *model)
{
    bool breaks = promise && assay_model_implies(promise, model);
    bool sooner = !s->first_violation || number < s->first_violation;
    if (breaks == s->first_breaks ? !sooner : !breaks)
        return;
    s->first_violation = number;
    s->first_breaks = breaks;
    snprintf(s->first_model, sizeof s->first_model, "%s", model);
}

void drive_summary_add(struct drive_summary *s, const struct drive_record *r, size_t models, const char *promise)
{
    s->histories++;
    s->counts.committed += r->tally.counts.committed;
    s->counts.aborted += r->tally.counts.aborted;
    s->counts.unknown += r->tally.counts.unknown;
    for (size_t i = 0; i < r->verdict_count && i < models; i++) {
        const struct drive_verdict *v = &r->verdicts[i];
        s->models[i].violations += v->finding == DRIVE_VIOLATION;
        s->models[i].undecided += v->finding == DRIVE_UNDECIDED;
        s->models[i].errors += v->finding == DRIVE_ERROR;
        if (v->finding == DRIVE_VIOLATION)
            note_violation(s, promise, r->number, v->model);
    }
    if (!r->tally.counts.complete)
        sum_cut(s, r->number);
    sum_staleness(&s->staleness, &r->staleness);
    sum_durability(s, r);
}
