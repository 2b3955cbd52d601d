/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_memory/forge.h"

#include "cross/oracle_memory/compare.h"
#include "cross/oracle_memory/counts.h"
#include "cross/oracle_memory/history.h"
#include "cross/oracle_memory/models.h"
#include "cross/oracle_memory/write.h"
#include "support/chance.h"
#include "support/finding.h"
#include "support/forge.h"

#include <assay.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void try_forged(const assay_history *a, const char *text, const char *line, const bool ok[MODELS])
{
    assay_error e;
    bool consistent;
    counts.forged++;
    if (!recheck(a, line, &e))
        return;
    counts.forged_accepted++;
    int m = forge_claimed(line, model_names, MODELS, &consistent);
    if (m == NOTHING || consistent != ok[m])
        finding(text, "recheck accepts a proof of what is false:\n%s", line);
}

static void forge_once(char **line, int ops)
{
    static const char *const rules[] = {"po", "ppo", "loc", "wr", "rw", "cf", "hb", "ww", "case"};
    static const char *const patterns[] = {"ThinAirRead",  "CyclicCO",        "WriteCORead",     "WriteCOInitRead",
                                           "CyclicCF",     "CyclicHB",        "WriteHBInitRead", "ForcedCycle",
                                           "NoStoreOrder", "FinalNotWritten", "NoSources"};
    switch (below(9)) {
    case 0: forge_number(line, ops, NULL); break;
    case 1: forge_swap(line); break;
    case 2: forge_element(line, false); break;
    case 3: forge_element(line, true); break;
    case 4: forge_word(line, "[\"", rules, 9); break;
    case 5: forge_word(line, "\"pattern\":\"", patterns, 11); break;
    case 6: forge_word(line, "\"model\":\"", model_names, MODELS); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 9); break;
    default: forge_verdict(line); break;
    }
}

/* One rule becomes another everywhere, or anywhere: proofs of a stronger model dressed up as those of a weaker one */
static void forge_rules(char **line)
{
    static const char *const to[] = {"ppo", "loc", "ww", "cf", "hb", "rw"};
    static const char *const from[] = {"\"po\"", "\"hb\"", "\"cf\"", "\"ppo\"", "\"loc\"", "\"ww\""};
    static const char *const forced[] = {"ForcedCycle"};
    const char *old = from[below(chance(60) ? 1 : 6)], *new = to[below(6)];
    bool mixed = chance(50);
    for (const char *p = *line + forge_body(*line); (p = strstr(p, old));) {
        size_t at = (size_t)(p - *line) + 1;
        if (!mixed || chance(70))
            forge_replace(line, at, strlen(old) - 2, mixed ? to[below(2)] : new);
        p = *line + at;
    }
    if (chance(70))
        forge_word(line, "\"pattern\":\"", forced, 1);
}

/* A line about another history or model is made to speak of this one. */
static char *transplant(const char *line, const assay_history *a, int m)
{
    char *copy = strdup(line);
    if (!copy)
        abort();
    forge_history(&copy, a);
    if (m != NOTHING)
        forge_word(&copy, "\"model\":\"", &model_names[m], 1);
    return copy;
}

void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                  int rounds)
{
    int ops = (int)assay_history_size(a);
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; lines[m] && k < rounds; k++) {
            char *line = transplant(lines[m], a, chance(40) ? below(MODELS) : NOTHING);
            if (chance(30))
                forge_rules(&line);
            for (int i = below(4); i > 0; i--)
                forge_once(&line, ops);
            try_forged(a, text, line, ok);
            free(line);
        }
}

void try_elsewhere(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        assay_error e;
        if (!lines[m])
            continue;
        counts.forged++;
        if (recheck(a, lines[m], &e))
            finding(text, "recheck accepts a proof about another history:\n%s", lines[m]);
        char *line = transplant(lines[m], a, NOTHING);
        try_forged(a, text, line, ok);
        free(line);
    }
}

/* An order of all operations that keeps program order, but for some that are left out or swapped */
static void say_order(struct text *t, const struct history *h)
{
    int events[2 * MAX_OPS], n = event_order(h, events);
    bool fences = chance(10), pending = chance(50), any = false;
    say(t, "[");
    for (int k = 0; k < n; k++) {
        const struct op *o = &h->ops[events[k] / 2];
        if (events[k] % 2 || (o->kind == FENCE && !fences) || (o->pending && (o->kind == READ || !pending)))
            continue;
        say(t, "%s%d", any ? "," : "", events[k] / 2);
        any = true;
    }
    say(t, "]");
}

void invent_proofs(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS], int rounds)
{
    char digest[17];
    assay_history_digest(a, digest);
    for (int k = 0; k < rounds; k++) {
        struct text t = {0};
        int m = below(MODELS);
        say(&t, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,\"model\":\"%s\",\"verdict\":\"", digest,
            model_names[m]);
        switch (below(6)) {
        case 0: say(&t, "violation\",\"pattern\":\"NoSources\"}"); break;
        case 1: say(&t, "violation\",\"pattern\":\"FinalNotWritten\"}"); break;
        case 2: say(&t, "violation\",\"pattern\":\"ThinAirRead\",\"culprit\":%d}", below(h->n)); break;
        case 3: say(&t, "consistent\",\"orders\":[]}"); break;
        default:
            say(&t, "consistent\",\"orders\":[{\"ops\":");
            say_order(&t, h);
            say(&t, "}");
            if (m == WTSO) {
                say(&t, ",{\"ops\":");
                say_order(&t, h);
                say(&t, "}");
            }
            say(&t, m == WSC || m == WTSO ? "],\"closed\":[]}" : "]}");
        }
        try_forged(a, text, t.bytes, ok);
        free(t.bytes);
    }
}
