/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_memory/compare.h"

#include "cross/oracle_memory/finding.h"
#include "cross/oracle_memory/history.h"
#include "cross/oracle_memory/models.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_history *parse(const char *text, const char *format)
{
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("text", text, strlen(text), format, &e);
    assay_history *h = r ? assay_reader_next(r, &e) : NULL;
    if (!h)
        finding(text, "not read as %s: line %d: %s", format, (int)e.line, e.message);
    assay_reader_close(r);
    return h;
}

static char *evidence_line(const assay_result *r)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    bool ok = f && assay_result_write_evidence(r, 0, f);
    if (f)
        fclose(f);
    if (!ok) {
        free(line);
        return NULL;
    }
    return line;
}

const char *verdict_word(bool consistent)
{
    return consistent ? "consistent" : "violation";
}

bool recheck(const assay_history *h, const char *line, assay_error *e)
{
    uint32_t index;
    bool searched;
    *e = (assay_error){0};
    return assay_recheck_with(h, line, NULL, &index, &searched, e);
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
    else if (assay_history_size(h) > 16 && strstr(line, "NoSources") && strstr(e.message, "given up"))
        counts.unconfirmed++; /* a search again, with a bound that docs/evidence.md names */
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
