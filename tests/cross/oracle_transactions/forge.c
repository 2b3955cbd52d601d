/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/forge.h"

#include "cross/oracle_transactions/compare.h"
#include "cross/oracle_transactions/counts.h"
#include "support/chance.h"
#include "support/finding.h"
#include "support/forge.h"
#include "support/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void forge_once(char **line, int ops)
{
    static const char *const rules[] = {"po", "rt", "wr", "rw", "cf", "ww", "vo", "case"};
    static const char *const patterns[] = {"ThinAirRead",      "AbortedRead",       "IntermediateRead",  "FutureRead",
                                           "InternalRead",     "IncompatibleOrder", "NonRepeatableRead", "DirtyWrite",
                                           "CircularRead",     "FracturedRead",     "StaleRead-session", "LostUpdate",
                                           "NonMonotonicRead", "WriteSkew",         "NoVersionOrder",    "LongFork",
                                           "NoSources"};
    switch (below(9)) {
    case 0:
    case 1: forge_number(line, ops, "\"initial\""); break;
    case 2: forge_swap(line); break;
    case 3: forge_element(line, false); break;
    case 4: forge_element(line, true); break;
    case 5: forge_word(line, "[\"", rules, 8); break;
    case 6: forge_word(line, "\"pattern\":\"", patterns, 17); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 8); break;
    default: forge_verdict(line); break;
    }
}

static void try_forged(const assay_history *a, const char *text, const char *line, const bool ok[MODELS])
{
    assay_error e;
    counts.forged++;
    if (!recheck(a, line, &e)) {
        if (e.code != ASSAY_ERROR_REFUSED && e.code != ASSAY_ERROR_INPUT && e.code != ASSAY_ERROR_USAGE &&
            e.code != ASSAY_ERROR_NOT_APPLICABLE)
            finding(text, "recheck: error %d: %s\n%s", e.code, e.message, line);
        return;
    }
    counts.forged_accepted++;
    bool consistent;
    int m = forge_claimed(line, model_names, MODELS, &consistent);
    if (m < 0 || consistent != ok[m])
        finding(text, "recheck accepts a proof of what is false:\n%s", line);
}

static void change_model(char **line, int m)
{
    forge_word(line, "\"model\":\"", &model_names[m], 1);
}

void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                  int rounds)
{
    int ops = (int)assay_history_size(a);
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; lines[m] && k < rounds; k++) {
            char *line = strdup(lines[m]);
            int other = below(MODELS);
            if (chance(50) || ok[other] != ok[m])
                change_model(&line, other);
            for (int i = below(4); i > 0; i--)
                forge_once(&line, ops);
            try_forged(a, text, line, ok);
            free(line);
        }
}

void transplant_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS])
{
    char digest[17];
    assay_history_digest(a, digest);
    for (int m = 0; m < MODELS; m++) {
        assay_error e;
        if (!lines[m])
            continue;
        char *line = strdup(lines[m]), *at = strstr(line, "\"history\":\"");
        if (!at)
            abort();
        counts.forged++;
        if (strncmp(at + 11, digest, 16) != 0 && recheck(a, line, &e))
            finding(text, "recheck accepts a proof about another history:\n%s", line);
        forge_history(&line, a);
        try_forged(a, text, line, ok);
        free(line);
    }
}
