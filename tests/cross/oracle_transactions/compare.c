/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/compare.h"

#include "cross/oracle_transactions/counts.h"
#include "support/evidence_line.h"
#include "support/finding.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void confirm(const assay_history *a, const assay_result *r, const char *text, char **keep)
{
    assay_error e;
    char *line = evidence_line(r);
    if (!line)
        finding(text, "%s by %s: no evidence could be written", assay_result_model(r), assay_result_engine(r));
    else if (!recheck(a, line, &e))
        finding(text, "%s by %s: the proof is refused: %s\n%s", assay_result_model(r), assay_result_engine(r),
                e.message, line);
    counts.proofs++;
    if (keep)
        *keep = line;
    else
        free(line);
}

static const char *word(bool holds)
{
    return holds ? "consistent" : "violation";
}

enum expectation compare(const assay_history *a, const char *text, int model, enum expectation expected,
                         const assay_options *options, char **keep)
{
    assay_error e = {0};
    const char *engine = options->engine;
    assay_result *r = assay_check(a, model_names[model], options, &e);
    if (!r) {
        bool excused = engine && (e.code == ASSAY_ERROR_NOT_APPLICABLE || e.code == ASSAY_ERROR_USAGE ||
                                  e.code == ASSAY_ERROR_MISSING);
        if (!excused)
            finding(text, "%s by %s: error %d: %s", model_names[model], engine ? engine : "default", e.code, e.message);
        return UNSURE;
    }
    assay_verdict v = assay_result_verdict(r);
    if (v == ASSAY_UNDECIDED) {
        counts.undecided++;
        if (!engine && !options->seconds)
            finding(text, "%s: undecided: %s", model_names[model], assay_result_undecided(r));
        assay_result_free(r);
        return UNSURE;
    }
    bool holds = v == ASSAY_CONSISTENT;
    engine ? counts.engine_verdicts++ : counts.verdicts++;
    counts.consistent += holds;
    if (expected != UNSURE && holds != (expected == HOLDS))
        finding(text, "%s by %s (%s): %s, the definition says %s", model_names[model], engine ? engine : "default",
                assay_result_engine(r), word(holds), word(expected == HOLDS));
    if (assay_result_proved(r))
        confirm(a, r, text, keep);
    else if (!engine && options->evidence)
        finding(text, "%s: no proof of %s although one was asked for", model_names[model], word(holds));
    assay_result_free(r);
    return holds ? HOLDS : FAILS;
}

void compare_all(const assay_history *a, const char *text, const bool ok[MODELS], bool strict, char *keep[MODELS])
{
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
    for (int m = 0; m < MODELS; m++)
        if (strict || base_of(m) != STRICT)
            compare(a, text, m, ok[m] ? HOLDS : FAILS, &o, keep ? &keep[m] : NULL);
}
