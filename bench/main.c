/* SPDX-License-Identifier: Apache-2.0 */
/* assay-bench: measures the library on generated histories. */
#include "assay.h"
#include "bench/bench.h"
#include "bench/compare.h"
#include "bench/ledger.h"
#include "bench/replot.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/outfile.h"
#include "cli/output.h"
#include "cli/suggest.h"

#include <string.h>

struct bench_options {
    bool quick, recorded, papers, markdown;
    const char *svg, *json, *work, *only;
    unsigned tolerance;
    uint64_t histories;
    struct ledger *ledger;
};

static const struct suite *find_suite(const char *name)
{
    const struct suite *s = suite_find(name);
    if (s)
        return s;
    struct suggestion near = {.typed = name};
    for (size_t i = 0; suite_table[i]; i++)
        suggest_offer(&near, suite_table[i]->name);
    complain_unknown(&near, "`assay-bench --help` names the suites", "unknown suite '%s'", name);
    return NULL;
}

/* The call as a page shows it; the folder of histories is the reader's own. */
static void print_command(const struct suite *s, const struct bench_options *o, char *out, size_t size)
{
    int n = snprintf(out, size, "assay-bench %s%s%s%s%s%s%s", s->name, o->quick ? " --quick" : "",
                     o->recorded ? " --recorded" : "", o->papers ? " --papers" : "", o->svg ? " --svg " : "",
                     o->svg ? o->svg : "", o->markdown ? " --markdown" : "");
    if (o->histories && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, " --histories %llu", (unsigned long long)o->histories);
    if (o->only && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, " --only %s", o->only);
    if (o->work && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, " --work DIR");
}

static int measure(const struct suite *s, const struct bench_options *o)
{
    char command[512];
    assay_error e = {0};
    print_command(s, o, command, sizeof command);
    interrupt_sets_flag();
    struct bench_settings set = {.command = command,
                                 .svg = o->svg,
                                 .save = outfile_write,
                                 .quick = o->quick,
                                 .recorded = o->recorded,
                                 .papers = o->papers,
                                 .histories = o->histories,
                                 .work = o->work,
                                 .only = o->only,
                                 .markdown = o->markdown,
                                 .interrupt = stop_asked,
                                 .out = stdout,
                                 .ledger = o->ledger};
    if (!bench_run(s, &set, &e)) {
        print_error(stderr, NULL, &e);
        return EXIT_FAULT;
    }
    return stopping() ? EXIT_OPEN : EXIT_FINE;
}

/* All suites without servers; with --papers, those that have experiments of the papers. */
static int measure_all(const struct bench_options *o)
{
    int status = EXIT_FINE;
    for (size_t i = 0; suite_table[i] && status == EXIT_FINE; i++)
        if (o->papers ? suite_table[i]->run_papers != NULL : !suite_table[i]->databases)
            status = measure(suite_table[i], o);
    return status;
}

/* The suite may be NULL: all. */
static bool fits_databases(const struct suite *s, const struct bench_options *o)
{
    if ((!o->histories && !o->work && !o->only) || (s && s->databases))
        return true;
    complain("--histories, --work and --only are for the suite databases");
    return false;
}

static bool has_part(const struct suite *s, const struct bench_options *o)
{
    if (o->recorded && !s->run_recorded)
        complain("the suite %s has no part for --recorded; weak and monitor have", s->name);
    else if (o->papers && !s->run_papers)
        complain("the suite %s has no part for --papers", s->name);
    else
        return fits_databases(s, o);
    return false;
}

static int measure_named(const char *name, const struct bench_options *o)
{
    if (strcmp(name, "all") == 0)
        return fits_databases(NULL, o) ? measure_all(o) : EXIT_FAULT;
    const struct suite *s = find_suite(name);
    return s && has_part(s, o) ? measure(s, o) : EXIT_FAULT;
}

static int compare(const struct arguments *args, const struct bench_options *o)
{
    struct comparison found;
    assay_error e = {0};
    if (args->n != 3) {
        complain("compare needs two files of --json: the old run and the new one");
        return EXIT_FAULT;
    }
    if (!compare_runs(args->at[1], args->at[2], o->tolerance, stdout, &found, &e)) {
        print_error(stderr, NULL, &e);
        return EXIT_FAULT;
    }
    return finish_output(found.worse ? EXIT_VIOLATED : EXIT_FINE);
}

static int draw_again(const struct arguments *args)
{
    assay_error e = {0};
    if (args->n != 2) {
        complain("replot needs the folder of the plots");
        return EXIT_FAULT;
    }
    size_t drawn = replot(args->at[1], outfile_write, &e);
    if (e.code) {
        print_error(stderr, NULL, &e);
        return EXIT_FAULT;
    }
    printf("replot: %zu charts drawn\n", drawn);
    return finish_output(EXIT_FINE);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct bench_options o = {.tolerance = COMPARE_TOLERANCE};
    struct arguments args;
    if (!options_parse(self, argc, argv, &o, &args))
        return args.status;
    if (o.papers && o.recorded) {
        complain("--papers and --recorded name different parts of a suite");
        return EXIT_FAULT;
    }
    if (args.n && strcmp(args.at[0], "compare") == 0)
        return compare(&args, &o);
    if (args.n && strcmp(args.at[0], "replot") == 0)
        return draw_again(&args);
    if (args.n == 0 ? !o.papers : args.n > 1) {
        complain("name one suite, or all (`assay-bench --help` names them)");
        return EXIT_FAULT;
    }
    if (o.json && !(o.ledger = ledger_new(args.n ? args.at[0] : "--papers"))) {
        complain("no memory for the figures");
        return EXIT_FAULT;
    }
    int status = finish_output(measure_named(args.n ? args.at[0] : "all", &o));
    if (o.json && status == EXIT_FINE && !ledger_save(o.ledger, o.json))
        status = EXIT_FAULT;
    ledger_free(o.ledger);
    return status;
}

static const struct option_row rows[] = {
    {0, "quick", NULL, "small sizes, to see that it runs", OPTION_FLAG, offsetof(struct bench_options, quick), 0},
    {0, "recorded", NULL, "weak, monitor: only on histories recorded from threads of this machine", OPTION_FLAG,
     offsetof(struct bench_options, recorded), 0},
    {0, "papers", NULL, "the papers' experiments in the papers' sizes, without a suite: all of them", OPTION_FLAG,
     offsetof(struct bench_options, papers), 0},
    {0, "svg", "DIR", "draw plots into this folder (needs gnuplot)", OPTION_TEXT, offsetof(struct bench_options, svg),
     0},
    {0, "markdown", NULL, "write a document in Markdown", OPTION_FLAG, offsetof(struct bench_options, markdown), 0},
    {0, "histories", "N", "databases: histories of each setting; default: 20", OPTION_SEED,
     offsetof(struct bench_options, histories), 0},
    {0, "work", "DIR", "databases: keep the histories here; the same command goes on with them", OPTION_TEXT,
     offsetof(struct bench_options, work), 0},
    {0, "only", "NAME,...",
     "databases: only these stores (galera, mariadb, postgres, redis, etcd, sqlite) and parts\n"
     "                         (single, transactions)",
     OPTION_TEXT, offsetof(struct bench_options, only), 0},
    {0, "json", "FILE", "write the figures to this file, for `compare`", OPTION_TEXT,
     offsetof(struct bench_options, json), 0},
    {0, "tolerance", "P", "compare: differences of up to P percent are noise; default: 20", OPTION_PERCENT,
     offsetof(struct bench_options, tolerance), 0},
    {0},
};

static const struct command bench = {
    .name = "assay-bench",
    .alone = true,
    .summary = "Measure time and memory on generated histories.",
    .usage = "SUITE [--quick] [--recorded | --papers] [--svg DIR] [--markdown] [--json FILE]\n"
             "       assay-bench --papers [--quick] [--svg DIR] [--markdown] [--json FILE]\n"
             "       assay-bench databases [--histories N] [--work DIR] [--only NAME,...] [--svg DIR] [--markdown]\n"
             "       assay-bench compare [--tolerance P] OLD NEW\n"
             "       assay-bench replot DIR",
    .notes = "suites: causal (cc, ccv and cm against their goals and against datalog),\n"
             "        sc, tso (against their goals, and all their engines side by side),\n"
             "        lin, weak (objects), large (a million operations), monitor (live histories), record (what "
             "recording costs),\n"
             "        transactions (levels of isolation), coherence (which models catch which bug),\n"
             "        kernel (how much of the store order the weak models find), all (but not databases),\n"
             "        databases (real servers on this machine: which models and levels hold)\n\n"
             "replot draws the charts of --svg DIR again, from the numbers beside them (DIR/*.tsv).\n\n"
             "compare names the figures of two runs that became worse or better beyond noise. The ratio of\n"
             "most figures is the machine's, and is taken out.\n\n"
             "exit status: 0 measured, nothing is worse; 1 compare: some figures are worse; 2 a fault, or a\n"
             "verdict that is known to be wrong; 3 interrupted\n",
    .examples = "  assay-bench causal --quick\n"
                "  assay-bench causal --svg docs/internals/plots --markdown > docs/internals/benchmarks/causal.md\n"
                "  assay-bench databases --only redis,single --work runs\n"
                "  assay-bench all --quick --json new.json && assay-bench compare old.json new.json\n",
    .least = 0,
    .most = 3,
    .options = rows,
    .run = run,
};

int main(int argc, char **argv)
{
    program_begin();
    return bench.run(&bench, argc - 1, argv + 1);
}
