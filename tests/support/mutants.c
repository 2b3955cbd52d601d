/* SPDX-License-Identifier: Apache-2.0 */
#include "support/mutants.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mutating {
    const char *original;
    struct rng *rng;
    void (*each)(void *arg, const char *mutant);
    void *arg;
};

static void hand_out(struct mutating *t, const char *line)
{
    if (strcmp(line, t->original) != 0)
        t->each(t->arg, line);
}

/* The original with [from, end) replaced by the given text. */
static void replace(struct mutating *t, size_t from, size_t end, const char *text)
{
    char line[4 * MUTANTS_LONGEST];
    snprintf(line, sizeof line, "%.*s%s%s", (int)from, t->original, text, t->original + end);
    hand_out(t, line);
}

static void mutate_numbers(struct mutating *t)
{
    static const char *const others[] = {
        "0",  "1",  "2",   "3",   "4",    "5",     "6",  "7", "99", "4294967294", "4294967295", "18446744073709551616",
        "01", "-1", "1.0", "1e0", "null", "\"1\"", "[]", ""};
    bool quoted = false;
    for (size_t at = 0; t->original[at]; at++) {
        quoted ^= t->original[at] == '"';
        size_t length = strspn(t->original + at, "0123456789");
        if (quoted || !length)
            continue;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            replace(t, at, at + length, others[i]);
        at += length - 1;
    }
}

static void mutate_names(struct mutating *t)
{
    static const char *const others[] = {"cc",
                                         "ccv",
                                         "cm",
                                         "lin",
                                         "po",
                                         "wr",
                                         "rw",
                                         "cf",
                                         "hb",
                                         "ppo",
                                         "loc",
                                         "ww",
                                         "case",
                                         "xx",
                                         "consistent",
                                         "violation",
                                         "undecided",
                                         "ThinAirRead",
                                         "CyclicCO",
                                         "WriteCOInitRead",
                                         "WriteCORead",
                                         "CyclicCF",
                                         "WriteHBInitRead",
                                         "CyclicHB",
                                         "ForcedCycle",
                                         "NoStoreOrder",
                                         "FinalNotWritten",
                                         "evidence",
                                         "history",
                                         "index",
                                         "model",
                                         "verdict",
                                         "pattern",
                                         "culprit",
                                         "reasons",
                                         "cycle",
                                         "lemmas",
                                         "learned",
                                         "closed",
                                         "orders",
                                         "ops",
                                         "thread",
                                         "rule",
                                         "from",
                                         "to",
                                         "read",
                                         "path",
                                         "",
                                         "a name much longer than any of ours is",
                                         "0123456789abcdef",
                                         "c\\u0063"};
    for (size_t at = 0; t->original[at]; at++) {
        if (t->original[at] != '"')
            continue;
        size_t length = strcspn(t->original + at + 1, "\"");
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            replace(t, at + 1, at + 1 + length, others[i]);
        at += length + 1;
    }
}

/* Where the item that starts at `at` ends. */
static size_t item_end(const char *line, size_t at)
{
    int depth = 0;
    for (;; at++) {
        char c = line[at];
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            return at;
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    }
}

/* Drops, doubles and swaps the items of the list or object that opens at `at`. */
static void mutate_items(struct mutating *t, size_t at)
{
    const char *line = t->original;
    while (line[at] != ']' && line[at] != '}') {
        size_t from = at + 1, end = item_end(line, from);
        if (end == from)
            return; /* empty */
        bool last = line[end] != ',';
        char text[2 * MUTANTS_LONGEST];
        int length = (int)(end - from);
        if (!last)
            replace(t, from, end + 1, "");
        else
            replace(t, line[at] == ',' ? at : from, end, "");
        snprintf(text, sizeof text, "%.*s,%.*s", length, line + from, length, line + from);
        replace(t, from, end, text);
        if (!last) {
            size_t next = item_end(line, end + 1);
            snprintf(text, sizeof text, "%.*s,%.*s", (int)(next - end - 1), line + end + 1, length, line + from);
            replace(t, from, next, text);
        }
        at = end;
    }
}

static void mutate_bytes(struct mutating *t)
{
    static const char bytes[] = "{}[],:\"0123456789 \t\\\x01\x7f\xff"
                                "abcdefhinoprstuvw";
    size_t length = strlen(t->original);
    char line[MUTANTS_LONGEST];
    for (size_t at = 0; at < length; at++) {
        replace(t, at, length, "");
        replace(t, at, at, " ");
        for (int i = 0; i < 6; i++) {
            memcpy(line, t->original, length + 1);
            line[at] = bytes[rng_below(t->rng, sizeof bytes - 1)];
            hand_out(t, line);
        }
    }
    replace(t, length, length, "{}");
}

void mutants_of(const char *line, struct rng *rng, void (*each)(void *arg, const char *mutant), void *arg)
{
    struct mutating t = {line, rng, each, arg};
    if (strlen(line) >= MUTANTS_LONGEST)
        abort();
    mutate_numbers(&t);
    mutate_names(&t);
    for (size_t at = 0; line[at]; at++)
        if (line[at] == '[' || line[at] == '{')
            mutate_items(&t, at);
    mutate_bytes(&t);
}
