/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/forge.h"

#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void forge_once_of_memory(char **line, int ops)
{
    static const char *const rules[] = {"po", "ppo", "loc", "wr", "rw", "cf", "hb", "ww", "case"};
    static const char *const patterns[] = {"ThinAirRead",  "CyclicCO",        "WriteCORead",     "WriteCOInitRead",
                                           "CyclicCF",     "CyclicHB",        "WriteHBInitRead", "ForcedCycle",
                                           "NoStoreOrder", "FinalNotWritten", "NoSources"};
    switch (below(10)) {
    case 0: forge_number(line, ops, NULL); break;
    case 1: forge_swap(line); break;
    case 2: forge_element(line, false); break;
    case 3: forge_element(line, true); break;
    case 4: forge_word(line, "[\"", rules, 9); break;
    case 5: forge_word(line, "\"pattern\":\"", patterns, 11); break;
    case 6: forge_word(line, "\"model\":\"", model_names, MODELS); break;
    case 8: forge_rules(line); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 9); break;
    default: forge_verdict(line); break;
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

void invent_proofs(const struct history *h, const struct truth *truth, int rounds)
{
    char digest[17];
    assay_history_digest(truth->history, digest);
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
        try_forged(truth, t.bytes);
        free(t.bytes);
    }
}
