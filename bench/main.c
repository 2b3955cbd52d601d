/* SPDX-License-Identifier: Apache-2.0 */
/* assay-bench: measures the library on generated histories. */
#include "assay.h"
#include "bench/bench.h"
#include "bench/compare.h"
#include "bench/ledger.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/outfile.h"
#include "cli/output.h"
#include "cli/suggest.h"

#include <string.h>

struct bench_options {
    bool quick, recorded, papers, markdown;
    const char *svg, *json;
    unsigned tolerance;
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
    if (near.best)
        complain("unknown suite '%s' (did you mean %s?)", name, near.best);
    else
        complain("unknown suite '%s' (`assay-bench --help` names the suites)", name);
    return NULL;
}

static int measure(const struct suite *s, const struct bench_options *o)
{
    char command[512];
    assay_error e = {0};
    snprintf(command, sizeof command, "assay-bench %s%s%s%s%s%s%s", s->name, o->quick ? " --quick" : "",
             o->recorded ? " --recorded" : "", o->papers ? " --papers" : "", o->svg ? " --svg " : "",
             o->svg ? o->svg : "", o->markdown ? " --markdown" : "");
    interrupt_sets_flag();
    struct bench_settings set = {.command = command,
                                 .svg = o->svg,
                                 .save = outfile_write,
                                 .quick = o->quick,
                                 .recorded = o->recorded,
                                 .papers = o->papers,
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

/* All suites; with --papers, those that have experiments of the papers. */
static int measure_all(const struct bench_options *o)
{
    int status = EXIT_FINE;
    for (size_t i = 0; suite_table[i] && status == EXIT_FINE; i++)
        if (!o->papers || suite_table[i]->run_papers)
            status = measure(suite_table[i], o);
    return status;
}

static bool has_part(const struct suite *s, const struct bench_options *o)
{
    if (o->recorded && !s->run_recorded)
        complain("the suite %s has no part for --recorded; weak and monitor have", s->name);
    else if (o->papers && !s->run_papers)
        complain("the suite %s has no part for --papers", s->name);
    else
        return true;
    return false;
}

static int measure_named(const char *name, const struct bench_options *o)
{
    if (strcmp(name, "all") == 0)
        return measure_all(o);
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
             "       assay-bench compare [--tolerance P] OLD NEW",
    .notes = "suites: causal (cc, ccv and cm against their goals and against datalog),\n"
             "        sc, tso (against their goals, and all their engines side by side),\n"
             "        lin, weak (objects), large (a million operations), monitor (live histories), record (what "
             "recording costs),\n"
             "        transactions (levels of isolation), coherence (which models catch which bug),\n"
             "        kernel (how much of the store order the weak models find), all\n\n"
             "compare names the figures of two runs that became worse or better beyond noise. The ratio of\n"
             "most figures is the machine's, and is taken out.\n\n"
             "exit status: 0 measured, nothing is worse; 1 compare: some figures are worse; 2 a fault, or a\n"
             "verdict that is known to be wrong; 3 interrupted\n",
    .examples = "  assay-bench causal --quick\n"
                "  assay-bench causal --svg docs/plots --markdown > docs/benchmarks/causal.md\n"
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
