/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated coherence protocols: without a bug no history violates the model of its cores, whatever the shape of the
 * machine; each bug shows, and the engines prove what they say about it. Machines that stand still are errors, so
 * they end the test, too.
 *
 *   coherence [--quick|--long] */
#include "collect/collect.h"
#include "support/tier.h"
#include "support/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const protocols[] = {"mi", "mesi", "moesi", "moesi-amd"};
static const char *const cores[] = {"sc", "tso"};
/* The models at most as strong as that of the core, which a violation may violate, too. */
static const char *const ladders[] = {"cc ccv cm ccm wsc sc", "cc ccv wccm wtso tso"};

enum { PROTOCOLS = 4, CORES = 2 };

static const struct collector *collector(void)
{
    return collector_find("coherence");
}

static const char *const *bug_names(void)
{
    const struct collect_parameter *p = collector()->parameters;
    while (strcmp(p->name, "bug") != 0)
        p++;
    return p->words;
}

static void set(struct collect_settings *s, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    if (!collect_set(collector(), s, name, text))
        abort();
}

static struct collect_settings machine(size_t protocol, size_t core, const char *bug)
{
    struct collect_settings s = collect_defaults(collector());
    collect_set(collector(), &s, "protocol", protocols[protocol]);
    collect_set(collector(), &s, "core", cores[core]);
    collect_set(collector(), &s, "bug", bug);
    return s;
}

static void die(const struct collect_settings *s, const char *why)
{
    char command[512];
    collect_command(collector(), s, command, sizeof command);
    printf("%s\n%s\n", command, why);
    exit(1);
}

/* The models that the history satisfies; what was found is rechecked. */
static unsigned judged(const struct collect_settings *s, unsigned models)
{
    assay_error e = {0};
    struct complaint why = {""};
    unsigned satisfied = 0;
    assay_history *h = collect_history(collector(), s, &e);
    if (!h)
        die(s, e.message);
    if (!verdicts_of(h, NULL, models, &satisfied, &why))
        die(s, why.text);
    assay_history_free(h);
    return satisfied;
}

/* ---- without a bug ---- */

/* Machines of many shapes, from one core up; every second one has the shape that is the default. */
static void shape(struct collect_settings *s, uint64_t seed)
{
    static const unsigned delays[] = {1, 5, 20, 100};
    s->seed = seed;
    if (seed % 4 == 0)
        collect_set(collector(), s, "ordered", NULL);
    if (seed % 2)
        return;
    set(s, "threads", 1 + seed / 2 % 8);
    set(s, "variables", 1 + seed / 16 % 6);
    set(s, "lines", 2 + seed / 32 % 3);
    set(s, "delay", delays[seed / 64 % 4]);
    set(s, "operations", 20 + seed % 97);
    set(s, "rmws", seed % 40);
}

static void valid(uint64_t count)
{
    for (size_t p = 0; p < PROTOCOLS; p++) {
        for (size_t c = 0; c < CORES; c++) {
            unsigned own = models_named(cores[c]), sc = models_named("sc");
            uint64_t not_sc = 0;
            for (uint64_t seed = 1; seed <= count; seed++) {
                struct collect_settings s = machine(p, c, "none");
                shape(&s, seed);
                unsigned satisfied = judged(&s, own | sc);
                if (!(satisfied & own))
                    die(&s, "violates its model without a bug");
                not_sc += !(satisfied & sc);
            }
            printf("%-9s %-4s %llu histories, none violates %s, %llu violate sc\n", protocols[p], cores[c],
                   (unsigned long long)count, cores[c], (unsigned long long)not_sc);
            if (c > 0 && not_sc == 0) {
                printf("store buffers that nobody notices test nothing\n");
                exit(1);
            }
        }
    }
}

/* ---- with exchanged reads ---- */

static void mutated(uint64_t count)
{
    for (size_t p = 0; p < PROTOCOLS; p++) {
        unsigned ladder = models_named(ladders[0]), own = models_named(cores[0]);
        uint64_t violations = 0;
        for (uint64_t seed = 1; seed <= count; seed++) {
            struct collect_settings s = machine(p, 0, "none");
            shape(&s, seed);
            set(&s, "mutate", 1 + seed % 4);
            if (seed % 3)
                collect_set(collector(), &s, "shuffle", NULL);
            violations += !(judged(&s, ladder) & own);
        }
        printf("%-9s %llu histories with exchanged reads, %llu violate sc\n", protocols[p], (unsigned long long)count,
               (unsigned long long)violations);
        if (violations == 0 || violations == count) {
            printf("exchanged reads must show, and not always\n");
            exit(1);
        }
    }
}

/* ---- with a bug ---- */

static bool possible(const struct collect_settings *s)
{
    assay_error e = {0};
    assay_history *h = collect_history(collector(), s, &e);
    if (!h && e.code != ASSAY_ERROR_USAGE)
        die(s, e.message);
    assay_history_free(h);
    return h != NULL;
}

/* At least `count` histories, and more until one shows the bug. Returns false if the bug is not possible there. */
static bool find_bug(size_t p, size_t c, const char *bug, uint64_t count)
{
    struct collect_settings s = machine(p, c, bug);
    unsigned ladder = models_named(ladders[c]), own = models_named(cores[c]), kept = ladder;
    uint64_t found = 0, seen = 0;
    if (!possible(&s))
        return false;
    for (; seen < count || !found; seen++, s.seed++) {
        unsigned satisfied = judged(&s, own);
        if (seen == 100 * count)
            die(&s, "no history shows the bug");
        if (satisfied & own)
            continue;
        found++;
        kept &= judged(&s, ladder);
    }
    printf("%-16s %-9s %-4s %5llu of %llu; kept by all: %s\n", bug, protocols[p], cores[c], (unsigned long long)found,
           (unsigned long long)seen, models_print(kept).text);
    return true;
}

/* Whatever a bug does to the values, machines of all shapes come to an end. */
static void demand_end(size_t p, size_t c, const char *bug, uint64_t count)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct collect_settings s = machine(p, c, bug);
        shape(&s, seed);
        if (!possible(&s))
            return;
    }
}

static void bugs(uint64_t count)
{
    const char *const *names = bug_names();
    for (size_t i = 1; names[i]; i++) {
        unsigned places = 0;
        for (size_t p = 0; p < PROTOCOLS; p++) {
            for (size_t c = 0; c < CORES; c++) {
                places += find_bug(p, c, names[i], count);
                demand_end(p, c, names[i], 10 * count);
            }
        }
        if (!places) {
            printf("%s: is possible nowhere\n", names[i]);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    valid(by_tier(tier, 500, 1000, 100000));
    mutated(by_tier(tier, 100, 500, 20000));
    bugs(by_tier(tier, 15, 30, 3000));
    return 0;
}
