/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_memory/compare.h"

#include "cross/oracle_memory/counts.h"
#include "cross/oracle_memory/history.h"
#include "cross/oracle_memory/models.h"
#include "support/evidence_line.h"
#include "support/finding.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *verdict_word(bool consistent)
{
    return consistent ? "consistent" : "violation";
}

void confirm(const assay_history *h, const assay_result *r, const char *text, const char *engine, char **keep)
{
    if (!assay_result_proved(r))
        return;
    char *line = evidence_line(r);
    assay_error e;
    counts.proofs++;
    if (!line)
        finding(text, "%s by %s: no evidence could be written", assay_result_model(r), engine);
    else if (recheck(h, line, &e))
        counts.rechecked++;
    else if (assay_history_size(h) > 16 && strstr(line, "NoSources") && e.code == ASSAY_ERROR_LIMIT)
        counts.unconfirmed++; /* searched again, up to a limit that docs/reference/evidence.md names */
    else
        finding(text, "%s by %s: the proof is refused: %s\n%s", assay_result_model(r), engine, e.message, line);
    if (keep && !*keep)
        *keep = line;
    else
        free(line);
}

bool by_logic(const struct history *h, int m)
{
    return h->po_after && (m == CM || m == CCM || m == WCCM);
}

bool may_decline(const struct history *h, int m)
{
    bool choice = !by_logic(h, m) && (m == CC || m == CCV || m == CM || m == SC || m == TSO || m == PSO);
    return !unique_values(h) && !choice;
}

void compare(const struct history *h, const assay_history *a, const char *text, int m, bool expected,
             const char *engine, const assay_options *o, char **keep)
{
    assay_error e = {0};
    assay_result *r = assay_check(a, model_names[m], o, &e);
    if (!r) {
        bool excused = e.code == ASSAY_ERROR_MISSING ||
                       (e.code == ASSAY_ERROR_NOT_APPLICABLE && (engine || may_decline(h, m)));
        if (engine && e.code == ASSAY_ERROR_USAGE)
            excused = true;
        if (!excused)
            finding(text, "%s by %s: error %d: %s", model_names[m], engine ? engine : "default", e.code, e.message);
        counts.not_applicable += !engine;
        return;
    }
    assay_verdict v = assay_result_verdict(r);
    if (v == ASSAY_UNDECIDED) {
        counts.undecided++;
        if (!engine)
            finding(text, "%s: undecided: %s", model_names[m], assay_result_undecided(r));
    } else {
        engine ? counts.engine_verdicts++ : counts.verdicts++;
        if ((v == ASSAY_CONSISTENT) != expected)
            finding(text, "%s by %s (%s): %s, the definition says %s", model_names[m], engine ? engine : "default",
                    assay_result_engine(r), assay_verdict_name(v), verdict_word(expected));
        confirm(a, r, text, assay_result_engine(r), keep);
        if (v == ASSAY_CONSISTENT && o->evidence && !engine && !by_logic(h, m) && !assay_result_proved(r))
            finding(text, "%s: no proof although one was asked for", model_names[m]);
    }
    assay_result_free(r);
}
