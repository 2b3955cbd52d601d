/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated stores of transactions: without a bug no history violates the level of its store, whatever the shape of the
 * clients; weaker stores do violate the stronger levels, and each bug shows. Every proof is rechecked.
 *
 *   stores [--quick|--long] */
#include "collect/collect.h"
#include "support/left_out.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *store;
    const char *strict;   /* the level in real time, if it holds, too; or NULL */
    const char *stronger; /* a level that some histories do not satisfy; or NULL */
} rows[] = {
    {"ser", "ser-strict", NULL}, {"si", "si-strict", "ser"}, {"psi", NULL, "pc"},       {"pc", "pc-strict", "si"},
    {"tcc", NULL, "pc"},         {"ra", NULL, "tcc"},        {"rc", "rc-strict", "ra"},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const struct collector *collector(void)
{
    return collector_find("transactions");
}

static _Noreturn void die(const struct collect_settings *s, const char *model, const char *why)
{
    char command[512];
    collect_command(collector(), s, command, sizeof command);
    printf("%s\n%s: %s\n", command, model, why);
    exit(1);
}

static void word(struct collect_settings *s, const char *name, const char *value)
{
    if (!collect_set(collector(), s, name, value))
        abort();
}

static void number(struct collect_settings *s, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    word(s, name, text);
}

/* ---- verdicts ---- */

static void recheck(const struct collect_settings *s, const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t length = 0;
    uint32_t index = 0;
    assay_error e = {0};
    FILE *out = open_memstream(&line, &length);
    if (!out || !assay_result_write_evidence(r, 0, out) || fclose(out) != 0)
        abort();
    if (!assay_recheck(h, line, &index, &e))
        die(s, assay_result_model(r), e.message);
    free(line);
}

/* Undecided: this version has no engine for the model, which is said once. */
static assay_verdict judged(const struct collect_settings *s, const char *model)
{
    assay_error e = {0};
    assay_history *h = collect_history(collector(), s, &e);
    if (!h)
        die(s, model, e.message);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = assay_check(h, model, &options, &e);
    assay_verdict verdict = ASSAY_UNDECIDED;
    if (r) {
        verdict = assay_result_verdict(r);
        if (verdict == ASSAY_UNDECIDED)
            die(s, model, assay_result_undecided(r));
        if (assay_result_proved(r))
            recheck(s, h, r);
    } else {
        left_out(model, e.message);
    }
    assay_result_free(r);
    assay_history_free(h);
    return verdict;
}

/* ---- clients of many shapes ---- */

static struct collect_settings shape(const struct row *row, uint64_t seed)
{
    static const char *const data[] = {"registers", "lists", "both"};
    struct collect_settings s = collect_defaults(collector());
    s.seed = seed;
    word(&s, "store", row->store);
    word(&s, "data", data[seed % 3]);
    number(&s, "sessions", 1 + seed / 3 % 12);
    number(&s, "transactions", 10 + seed % 50);
    number(&s, "accesses", 1 + seed / 5 % 8);
    number(&s, "keys", 1 + seed / 7 % 10);
    number(&s, "reads", 20 + seed % 61);
    number(&s, "skew", seed % 4 ? 0 : 80);
    number(&s, "read-first", seed % 5 ? 0 : 60);
    number(&s, "aborts", seed % 7 ? 0 : 15);
    number(&s, "unknown", seed % 6 ? 0 : 15);
    if (seed % 3)
        number(&s, "appends", 2 + seed % 31);
    if (seed % 2)
        word(&s, "times", NULL);
    return s;
}

/* Is the level known to hold? */
static bool kept(const struct collect_settings *s, const char *model)
{
    assay_verdict verdict = judged(s, model);
    if (verdict == ASSAY_VIOLATION)
        die(s, model, "violated without a bug");
    return verdict == ASSAY_CONSISTENT;
}

static void keeps(const struct row *row, uint64_t count)
{
    uint64_t fine = 0, strictly = 0, beyond = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct collect_settings s = shape(row, seed);
        fine += kept(&s, row->store);
        strictly += row->strict && seed % 2 && kept(&s, row->strict);
        beyond += row->stronger && judged(&s, row->stronger) == ASSAY_VIOLATION;
    }
    printf("%-4s %llu of %llu histories satisfy it, %llu in real time, too", row->store, (unsigned long long)fine,
           (unsigned long long)count, (unsigned long long)strictly);
    if (row->stronger)
        printf("; %llu violate %s", (unsigned long long)beyond, row->stronger);
    printf("\n");
}

/* A serializable store is linearizable, which other engines decide. */
static void linearizable(uint64_t count)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct collect_settings s = shape(&rows[0], 2 * seed + 1);
        number(&s, "sessions", 1 + seed % 4);
        number(&s, "unknown", 0);
        if (judged(&s, "lin") != ASSAY_CONSISTENT)
            die(&s, "lin", "violated without a bug");
    }
    printf("ser  %llu histories satisfy lin\n", (unsigned long long)count);
}

/* ---- bugs and exchanged reads ---- */

static bool possible(const struct collect_settings *s)
{
    assay_error e = {0};
    assay_history *h = collect_history(collector(), s, &e);
    if (!h && e.code != ASSAY_ERROR_USAGE)
        die(s, "the collector", e.message);
    assay_history_free(h);
    return h != NULL;
}

static void shows(const struct row *row, const char *change, const char *value, uint64_t count)
{
    uint64_t found = 0, seen = 0;
    bool decided = true;
    for (uint64_t seed = 1; decided && (seen < count || !found); seed++) {
        struct collect_settings s = shape(row, seed);
        word(&s, change, value);
        if (!possible(&s))
            return;
        if (seed > 100 * count)
            die(&s, row->store, "no history shows the change");
        assay_verdict verdict = judged(&s, row->store);
        decided = verdict != ASSAY_UNDECIDED;
        found += verdict == ASSAY_VIOLATION;
        seen++;
    }
    printf("%-4s %s %s: %llu of %llu violate it\n", row->store, change, value, (unsigned long long)found,
           (unsigned long long)seen);
}

int main(int argc, char **argv)
{
    static const char *const bugs[] = {"lost-update", "dirty-read", "stale-snapshot", "torn-write"};
    enum tier tier = request_of(argc, argv).tier;
    linearizable(by_tier(tier, 100, 500, 10000));
    for (size_t i = 0; i < ROWS; i++)
        keeps(&rows[i], by_tier(tier, 200, 1500, 100000));
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t b = 0; b < sizeof bugs / sizeof *bugs; b++)
            shows(&rows[i], "bug", bugs[b], by_tier(tier, 20, 100, 3000));
        shows(&rows[i], "mutate", "3", by_tier(tier, 20, 100, 3000));
    }
    return 0;
}
