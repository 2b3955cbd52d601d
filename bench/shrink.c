/* SPDX-License-Identifier: Apache-2.0 */
/* How small do violations get? For each family the first 100 violations of generated histories are shrunk. The table
 * has the operations before and after, and the time. */
#include "bench/columns.h"
#include "bench/ledger.h"
#include "bench/statistics.h"

#include "collect/collect.h"

#include <string.h>

enum { VIOLATIONS = 100, MOST_SEEDS = 2000, COMMAND = 256 };

struct family {
    const char *model, *collector;
    const char *options[12]; /* a name, then its text */
};

#define OBJECT(kind, size) "object", kind, "operations", size, "mutate", "1"

static const struct family families[] = {
    {"cc", "memory", {"operations", "1000", "mutate", "2"}},
    {"ccv", "memory", {"kind", "causal", "operations", "1000"}},
    {"cm", "memory", {"kind", "convergent", "operations", "1000", "mutate", "2"}},
    {"sc", "memory", {"kind", "tso", "operations", "1000"}},
    {"tso", "memory", {"kind", "pso", "operations", "1000"}},
    {"lin", "object", {OBJECT("register", "1000")}},
    {"lin", "object", {OBJECT("cas-register", "1000"), "values", "5"}},
    {"lin", "object", {OBJECT("memory", "1000")}},
    {"lin", "object", {OBJECT("map", "1000")}},
    {"lin", "object", {OBJECT("set", "1000")}},
    {"lin", "object", {OBJECT("counter", "1000")}},
    {"lin", "object", {OBJECT("queue", "1000"), "distinct", NULL}},
    {"lin", "object", {OBJECT("stack", "1000"), "distinct", NULL}},
    {"lin", "object", {OBJECT("queue", "1000")}},
    {"lin", "object", {OBJECT("stack", "1000")}},
    {"lin", "object", {OBJECT("lock", "1000")}},
    {"lin", "object", {OBJECT("semaphore(2)", "1000")}},
    {"lin", "object", {OBJECT("queue", "10000"), "distinct", NULL}},
    {"lin", "object", {OBJECT("stack", "10000"), "distinct", NULL}},
    {"lin", "object", {OBJECT("register", "10000"), "distinct", NULL}},
    {"lin", "object", {OBJECT("map", "10000")}},
    {"lin", "object", {OBJECT("lock", "10000")}},
    {"weak-hb", "object", {OBJECT("queue", "40"), "distinct", NULL}},
    {"ser", "transactions", {"store", "si", "transactions", "500"}},
    {"si", "transactions", {"store", "psi", "transactions", "500"}},
    {"ra", "transactions", {"store", "ra", "transactions", "500", "mutate", "2"}},
};

struct measured {
    size_t n;
    double before[VIOLATIONS], after[VIOLATIONS], seconds[VIOLATIONS];
};

static struct collect_settings settings_of(const struct family *f)
{
    const struct collector *c = collector_find(f->collector);
    struct collect_settings s = collect_defaults(c);
    for (size_t i = 0; f->options[i]; i += 2)
        collect_set(c, &s, f->options[i], f->options[i + 1]);
    return s;
}

/* Notes the history if it is a violation. */
static void shrink(struct bench *b, const struct family *f, const assay_history *h, struct measured *m)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .seconds = 10};
    assay_result *r = assay_check(h, f->model, &options, &e);
    if (r && assay_result_verdict(r) == ASSAY_VIOLATION) {
        double before = cpu_seconds();
        assay_history *small = assay_shrink(r, &options, NULL, &e);
        m->seconds[m->n] = cpu_seconds() - before;
        m->before[m->n] = assay_history_size(h);
        m->after[m->n] = small ? assay_history_size(small) : 0;
        m->n += small != NULL;
        assay_history_free(small);
    }
    if (e.code)
        bench_fault(b, "%s: %s", f->model, e.message);
    assay_result_free(r);
}

static void shrink_all(struct bench *b, const struct family *f, struct measured *m)
{
    const struct collector *c = collector_find(f->collector);
    struct collect_settings s = settings_of(f);
    size_t most = b->set->quick ? 1 : VIOLATIONS;
    for (uint32_t i = 0; i < MOST_SEEDS && m->n < most && bench_goes_on(b); i++, s.seed++) {
        assay_error e = {0};
        assay_history *h = collect_history(c, &s, &e);
        if (h)
            shrink(b, f, h, m);
        else
            bench_fault(b, "%s: %s", f->model, e.message);
        assay_history_free(h);
    }
}

static const struct column columns[] = {{"model", -8},    {"violations", 10}, {"median n", 8}, {"median left", 11},
                                        {"most left", 9}, {"median s", 9},    {"most s", 9},   {"histories", -10}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void print_row(struct bench *b, const struct family *f, struct measured *m)
{
    char cells[COLUMNS][COLUMN_CELL] = {{0}}, command[COMMAND];
    const struct collect_settings s = settings_of(f);
    collect_command(collector_find(f->collector), &s, command, sizeof command);
    if (!m->n)
        return;
    ledger_time(b->set->ledger, command, f->model, m->seconds, m->n);
    snprintf(cells[0], COLUMN_CELL, "%s", f->model);
    snprintf(cells[1], COLUMN_CELL, "%zu", m->n);
    snprintf(cells[2], COLUMN_CELL, "%.0f", median(m->before, m->n));
    snprintf(cells[3], COLUMN_CELL, "%.0f", median(m->after, m->n)); /* they are sorted then */
    snprintf(cells[4], COLUMN_CELL, "%.0f", m->after[m->n - 1]);
    snprintf(cells[5], COLUMN_CELL, "%.4f", median(m->seconds, m->n));
    snprintf(cells[6], COLUMN_CELL, "%.4f", m->seconds[m->n - 1]);
    snprintf(cells[7], COLUMN_CELL, b->set->markdown ? "`%s`" : "%s", command);
    columns_print_row(b, columns, COLUMNS, cells);
}

static void run(struct bench *b)
{
    heading(b, "Operations and seconds");
    columns_print_head(b, columns, COLUMNS);
    for (size_t i = 0; i < sizeof families / sizeof *families && bench_goes_on(b); i++) {
        struct measured m = {0};
        shrink_all(b, &families[i], &m);
        print_row(b, &families[i], &m);
    }
}

const struct suite suite_shrink = {
    .name = "shrink",
    .title = "shrinking",
    .legend =
        "Each row takes the first 100 violations among the histories of the command with the seeds 1, 2, ..., and\n"
        "shrinks them as `assay check -m MODEL --shrink` does. n is the number of operations or transactions\n"
        "before, and left the number after. s is the CPU seconds for shrinking one, without the check before it.",
    .run = run,
};
