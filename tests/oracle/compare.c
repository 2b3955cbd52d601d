/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/compare.h"

#include "oracle/finding.h"
#include "support/evidence_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compared compared;

void print_compared(void)
{
    printf("verdicts %" PRIu64 ", of engines that were named %" PRIu64 "; consistent %" PRIu64
           ", not applicable %" PRIu64 ", undecided %" PRIu64 "; proofs %" PRIu64 ", beyond recheck %" PRIu64
           "; forged %" PRIu64 ", of which accepted with a true claim %" PRIu64 "; disagreements %d\n",
           compared.verdicts, compared.of_engines, compared.consistent, compared.not_applicable, compared.undecided,
           compared.proofs, compared.unconfirmed, compared.forged, compared.forged_accepted, findings);
}

const char *verdict_word(bool consistent)
{
    return consistent ? "consistent" : "violation";
}

void confirm(const struct question *q, const assay_result *r)
{
    const char *engine = assay_result_engine(r);
    char *line = evidence_line(r);
    assay_error e;
    compared.proofs++;
    if (!line)
        finding(q->text, "%s by %s: no evidence could be written", q->model, engine);
    else if (!recheck(q->history, line, &e)) {
        if (e.code == ASSAY_ERROR_LIMIT && q->may_be_long)
            compared.unconfirmed++;
        else
            finding(q->text, "%s by %s: the proof is refused: %s\n%s", q->model, engine, e.message, line);
    }
    if (q->keep && !*q->keep)
        *q->keep = line;
    else
        free(line);
}

static void not_checked(const struct question *q, const assay_error *e)
{
    const char *engine = q->options->engine;
    bool excused = e->code == ASSAY_ERROR_MISSING || (engine && e->code == ASSAY_ERROR_USAGE) ||
                   (e->code == ASSAY_ERROR_NOT_APPLICABLE && (engine || q->may_decline));
    compared.not_applicable++;
    if (!excused)
        finding(q->text, "%s by %s: error %d: %s (%s)", q->model, engine ? engine : "default", e->code, e->message,
                e->remedy);
}

enum expectation ask(const struct question *q)
{
    assay_error e = {0};
    const char *engine = q->options->engine;
    assay_result *r = assay_check(q->history, q->model, q->options, &e);
    if (!r) {
        not_checked(q, &e);
        return UNSURE;
    }
    assay_verdict v = assay_result_verdict(r);
    enum expectation verdict = v == ASSAY_UNDECIDED ? UNSURE : v == ASSAY_CONSISTENT ? HOLDS : FAILS;
    engine ? compared.of_engines++ : compared.verdicts++;
    compared.consistent += verdict == HOLDS;
    if (verdict == UNSURE) {
        compared.undecided++;
        if (!q->may_give_up)
            finding(q->text, "%s by %s: undecided: %s", q->model, assay_result_engine(r), assay_result_undecided(r));
    } else if (q->expected != UNSURE && verdict != q->expected)
        finding(q->text, "%s by %s (%s), skew %" PRId64 ": %s, the definition says %s", q->model,
                engine ? engine : "default", assay_result_engine(r), q->options->skew, assay_verdict_name(v),
                verdict_word(q->expected == HOLDS));
    if (verdict != UNSURE && assay_result_proved(r))
        confirm(q, r);
    else if (verdict != UNSURE && q->options->evidence && !q->may_not_prove)
        finding(q->text, "%s by %s: no proof of %s although one was asked for", q->model, assay_result_engine(r),
                assay_verdict_name(v));
    assay_result_free(r);
    return verdict;
}

int compare_grading(const assay_history *h, const char *text, const char *const *models, int count, const bool *ok,
                    const bool *may_decline)
{
    assay_error e = {0};
    assay_grading *g = assay_grade(h, NULL, &e);
    int graded = 0;
    if (!g)
        finding(text, "not graded: %s", e.message);
    for (size_t i = 0; g && i < assay_grading_size(g); i++)
        for (int m = 0; m < count; m++) {
            const assay_result *r = assay_grading_result(g, i);
            if (strcmp(assay_grading_model(g, i), models[m]) != 0)
                continue;
            if (r && (assay_result_verdict(r) == ASSAY_CONSISTENT) != ok[m])
                finding(text, "graded: %s: %s, the definition says %s", models[m],
                        assay_verdict_name(assay_result_verdict(r)), verdict_word(ok[m]));
            if (!r && may_decline && !may_decline[m])
                finding(text, "graded: %s: %s", models[m], assay_grading_error(g, i)->message);
            graded += r || may_decline;
        }
    assay_grading_free(g);
    return graded;
}
