/* SPDX-License-Identifier: Apache-2.0 */
/* Which models catch the bugs of cache coherence protocols? This does not measure time. It counts the histories of each
 * protocol that violate the model of its cores, and how many of these violate weaker models already. Zennou's thesis,
 * section 4.1.4, reports that half of its sc violations violate cc or ccv. */
#include "bench/columns.h"

#include "collect/collect.h"

#include <string.h>

static const char *const protocols[] = {"mi", "mesi", "moesi", "moesi-amd"};

/* A kind of core: the model it promises, behind the weaker ones that are tried on its violations. */
static const struct kind {
    const char *name;
    const char *weaker[5];
} kinds[] = {
    {"sc", {"cc", "ccv", "cm", "ccm", "wsc"}},
    {"tso", {"cc", "ccv", NULL, "wccm", "wtso"}},
};

enum { WEAKER = 5, KINDS = sizeof kinds / sizeof *kinds, COLUMNS = 6 + WEAKER };

struct count {
    uint32_t histories, violations;
    uint32_t weaker[WEAKER]; /* of the violations */
};

/* ---- counting ---- */

static bool violates(struct bench *b, const assay_history *h, const char *model)
{
    assay_error e = {0};
    assay_result *r = assay_check(h, model, NULL, &e);
    if (!r)
        bench_fault(b, "%s: %s", model, e.message);
    bool violation = r && assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    return violation;
}

static void count_one(struct bench *b, const assay_history *h, const struct kind *k, struct count *c)
{
    c->histories++;
    if (!violates(b, h, k->name))
        return;
    c->violations++;
    for (size_t i = 0; i < WEAKER; i++)
        c->weaker[i] += k->weaker[i] && violates(b, h, k->weaker[i]);
}

/* False: the bug is not possible there. */
static bool count_all(struct bench *b, const struct collect_settings *first, const struct kind *k, uint32_t histories,
                      struct count *c)
{
    const struct collector *collector = collector_find("coherence");
    struct collect_settings s = *first;
    for (uint32_t i = 0; i < histories && bench_goes_on(b); i++, s.seed++) {
        assay_error e = {0};
        assay_history *h = collect_history(collector, &s, &e);
        if (!h && e.code == ASSAY_ERROR_USAGE)
            return false;
        if (h)
            count_one(b, h, k, c);
        else
            bench_fault(b, "seed %llu: %s", (unsigned long long)s.seed, e.message);
        assay_history_free(h);
    }
    return true;
}

static void add(struct count *sum, const struct count *c)
{
    sum->histories += c->histories;
    sum->violations += c->violations;
    for (size_t i = 0; i < WEAKER; i++)
        sum->weaker[i] += c->weaker[i];
}

/* ---- the table ---- */

static void percent(char cell[COLUMN_CELL], uint32_t part, uint32_t whole)
{
    if (whole)
        snprintf(cell, COLUMN_CELL, "%.1f", 100.0 * part / whole);
    else
        cell[0] = 0;
}

static void print_row(const struct bench *b, const struct column *columns, const char *protocol, const struct kind *k,
                      const char *bug, const struct count *c)
{
    char cells[COLUMNS][COLUMN_CELL];
    size_t n = 0, weakest = 0;
    while (weakest < WEAKER && !c->weaker[weakest])
        weakest++;
    snprintf(cells[n++], COLUMN_CELL, "%s", bug);
    snprintf(cells[n++], COLUMN_CELL, "%s", protocol);
    snprintf(cells[n++], COLUMN_CELL, "%u", c->histories);
    snprintf(cells[n++], COLUMN_CELL, "%u", c->violations);
    percent(cells[n++], c->violations, c->histories);
    for (size_t i = 0; i < WEAKER; i++)
        if (k->weaker[i])
            percent(cells[n++], c->weaker[i], c->violations);
    snprintf(cells[n++], COLUMN_CELL, "%s", !c->violations ? "-" : weakest < WEAKER ? k->weaker[weakest] : k->name);
    columns_print_row(b, columns, n, cells);
}

static size_t make_columns(const struct kind *k, struct column *columns)
{
    static const struct column common[] = {
        {"bug", -16}, {"protocol", -9}, {"histories", 9}, {"violations", 10}, {"%", 6}};
    size_t n = sizeof common / sizeof *common;
    memcpy(columns, common, sizeof common);
    for (size_t i = 0; i < WEAKER; i++)
        if (k->weaker[i])
            columns[n++] = (struct column){k->weaker[i], 6};
    columns[n++] = (struct column){"weakest", -7};
    return n;
}

/* A bug that no history shows, or a violation without a bug, is a fault: something is wrong with the simulators, or
 * with the checks. */
static void demand(struct bench *b, const char *protocol, const char *core, const char *bug, const struct count *c)
{
    bool valid = strcmp(bug, "none") == 0;
    if (valid && c->violations)
        bench_fault(b, "the protocol %s with the core %s violates its model without a bug", protocol, core);
    if (!valid && !c->violations && !b->set->quick)
        bench_fault(b, "%s with the core %s: no history shows the bug %s", protocol, core, bug);
}

static const char *const *bug_names(const struct collector *c)
{
    const struct collect_parameter *p = c->parameters;
    while (strcmp(p->name, "bug") != 0)
        p++;
    return p->words;
}

static void run_kind(struct bench *b, const struct kind *k)
{
    const struct collector *collector = collector_find("coherence");
    const char *const *bugs = bug_names(collector);
    struct column columns[COLUMNS];
    struct count sum = {0};
    double shares = 0;
    unsigned rows = 0;
    uint32_t histories = b->set->quick ? 100 : 10000;
    columns_print_head(b, columns, make_columns(k, columns));
    for (size_t i = 0; bugs[i]; i++) {
        for (size_t p = 0; p < sizeof protocols / sizeof *protocols; p++) {
            struct collect_settings s = collect_defaults(collector);
            struct count c = {0};
            collect_set(collector, &s, "protocol", protocols[p]);
            collect_set(collector, &s, "core", k->name);
            collect_set(collector, &s, "bug", bugs[i]);
            if (!count_all(b, &s, k, histories, &c))
                continue;
            demand(b, protocols[p], k->name, bugs[i], &c);
            if (!bench_goes_on(b))
                return;
            print_row(b, columns, protocols[p], k, bugs[i], &c);
            add(&sum, &c);
            rows += c.violations > 0;
            shares += c.violations ? (double)c.weaker[1] / c.violations : 0;
        }
    }
    print_row(b, columns, "all", k, "all", &sum);
    fputc('\n', b->set->out);
    if (sum.violations)
        paragraph(b,
                  "Of the %s violations %.0f %% are violations of cc or ccv already; %.0f %% if each "
                  "row counts the same,\nhowever often its bug shows. In Zennou's thesis (section "
                  "4.1.4) it is half of the sc violations.",
                  k->name, 100.0 * sum.weaker[1] / sum.violations, 100.0 * shares / rows);
}

static void run(struct bench *b)
{
    for (size_t i = 0; i < KINDS && bench_goes_on(b); i++) {
        char title[64];
        snprintf(title, sizeof title, "Cores of the kind %s: violations of %s", kinds[i].name, kinds[i].name);
        heading(b, title);
        run_kind(b, &kinds[i]);
    }
}

const struct suite suite_coherence = {
    .name = "coherence",
    .title = "bugs of cache coherence protocols, and the models that catch them",
    .legend = "The histories are those of `assay gen coherence --protocol P --core C --bug B` with "
              "the seeds 1, 2, ...:\n100 operations of 4 threads on 4 variables. The first % is the "
              "share of histories that violate the model of\nthe cores. Below the name of a "
              "weaker model: how many of 100 such histories it also rejects. Weakest: the first\n"
              "of these models that rejects one.",
    .run = run,
};
