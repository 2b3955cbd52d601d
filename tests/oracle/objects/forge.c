/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/forge.h"

#include "oracle/finding.h"
#include "oracle/forge.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/search.h"
#include "oracle/objects/write.h"
#include "support/chance.h"

#include <assay.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum listing { BY_NUMBER, BY_RANK, BY_CHANCE };

static void add_list(struct text *t, const struct history *h, const bool *take, enum listing how)
{
    bool written[MAX_OPS] = {0}, first = true;
    for (;;) {
        int next = NONE;
        for (int i = 0; i < h->ops; i++) {
            if (!take[i] || written[i])
                continue;
            if (next == NONE || (how == BY_NUMBER && h->op[i].number < h->op[next].number) ||
                (how == BY_RANK && h->op[i].rank < h->op[next].rank) || (how == BY_CHANCE && chance(40)))
                next = i;
        }
        if (next == NONE)
            return;
        written[next] = true;
        say(t, first ? "%d" : ",%d", h->op[next].number);
        first = false;
    }
}

static void forge_violation(struct text *t, const struct history *h)
{
    static const char *const patterns[] = {
        "NoLinearization",   "NoLinearization", "RemovedNeverAdded", "RemovedTwice", "RemovedBeforeAdded",
        "OrderReversed",     "EmptyWhileFull",  "Overtaken",         "StaleRead",    "ReadNeverWritten",
        "ReadBeforeWritten", "NoPartner",       "NotNested",         "StringsFork",  "PiecesReversed"};
    bool take[MAX_OPS];
    int density = below(101);
    for (int i = 0; i < h->ops; i++)
        take[i] = chance(density);
    int culprit = below(h->ops);
    take[culprit] = true;
    if (chance(30))
        memset(take, 0, sizeof take);
    say(t, "\"pattern\":\"%s\",\"culprit\":%d,\"prefix\":%s,\"kept\":[",
        patterns[below(sizeof patterns / sizeof *patterns)], h->op[culprit].number, chance(50) ? "true" : "false");
    add_list(t, h, take, BY_NUMBER);
    say(t, "]}");
}

static void forge_orders(struct text *t, const struct history *h)
{
    bool take[MAX_OPS], first = true;
    int by = below(3), drop = chance(60) ? 0 : below(40);
    enum listing how = chance(60) ? BY_RANK : chance(50) ? BY_NUMBER : BY_CHANCE;
    say(t, "\"orders\":[");
    for (int p = 0; p < (by == 0 ? 1 : by == 1 ? h->objects : 2 * h->objects); p++) {
        int count = 0;
        for (int i = 0; i < h->ops; i++) {
            bool here = by == 0 || (by == 1 ? h->op[i].object : h->op[i].part) == p;
            take[i] = here && !chance(h->op[i].pending ? 50 : drop);
            count += take[i];
        }
        if (!count)
            continue;
        say(t, first ? "{\"ops\":[" : ",{\"ops\":[");
        first = false;
        add_list(t, h, take, how);
        say(t, "]}");
    }
    say(t, "]}");
}

void compare_forged(const struct history *h, const assay_history *ah, enum answer expected, const char *text)
{
    char digest[17];
    assay_history_digest(ah, digest);
    for (int n = 0; n < 6; n++) {
        struct text t = {0};
        say(&t, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,\"model\":\"lin\",\"verdict\":\"%s\",", digest,
            expected == YES ? "violation" : "consistent");
        bool one = true;
        for (int i = 1; i < h->objects; i++)
            one = one && h->kinds[i] == h->kinds[0] && h->parameters[i] == h->parameters[0];
        if (one && (h->kinds[0] == SEMAPHORE || h->kinds[0] == COUNTING))
            say(&t, "\"object\":\"%s(%d)\",", kind_names[h->kinds[0]], h->parameters[0]);
        else if (one)
            say(&t, "\"object\":\"%s\",", kind_names[h->kinds[0]]);
        if (h->skew)
            say(&t, "\"skew\":\"%" PRId64 "\",", h->skew);
        if (expected == YES)
            forge_violation(&t, h);
        else
            forge_orders(&t, h);
        say(&t, "\n");
        must_refuse(ah, t.bytes, text);
        free(t.bytes);
    }
}
