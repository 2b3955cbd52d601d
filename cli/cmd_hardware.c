/* SPDX-License-Identifier: Apache-2.0 */
/* assay hardware: which memory model does this processor show? Options and output of a campaign (collect/collect.h). */
#include "command.h"
#include "interrupt.h"
#include "names.h"
#include "outfile.h"
#include "output.h"
#include "progress.h"
#include "settings.h"

#include "assay.h"
#include "collect/collect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_GIVEN = UINT_MAX };

struct hardware_options {
    const char *shapes, *models, *strides, *out;
    unsigned runs; /* 0: not given */
    double seconds, check_seconds;
    unsigned threads, operations, variables, reads, fences, rmws; /* NOT_GIVEN until they are */
    uint64_t seed;
    bool all, pin, no_pin, json;
};

struct hunt {
    struct hardware_options set;
    struct campaign campaign;
    struct names shapes, models;
    unsigned *strides;
    uint64_t written; /* files of the present shape */
    size_t shape_number;
    struct progress progress;
    char *shown; /* the report of the first violation, or of the first one that breaks the promise */
    bool faulty;
};

static const char *shape(const struct hunt *h)
{
    return h->shapes.at[h->shape_number];
}

/* The history's report, as `assay check --explain` would give it. */
static void explain(struct campaign *c, const assay_result *r)
{
    struct hunt *h = c->arg;
    size_t size = 0;
    free(h->shown);
    h->shown = NULL;
    FILE *f = memory_stream(&h->shown, &size);
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = shape(h), .explain = true,
                                    .color = wants_color(), .width = terminal_width()};
    put_report(r, "text", &options, f);
    memory_close(f, &h->shown);
}

/* ---- files ---- */

static void comment(const struct hunt *h, uint64_t mark, FILE *to)
{
    const char *before = "violates";
    fprintf(to, "# assay hardware --shape %s --seed %llu:", shape(h), (unsigned long long)h->set.seed);
    for (size_t i = 0; i < h->models.n; i++)
        if (campaign_violates(mark, i)) {
            fprintf(to, " %s %s", before, settings_meant(h->models.at[i]));
            before = "and";
        }
    fprintf(to, "%s\n", strcmp(before, "and") == 0 ? "" : " no violation");
}

static bool violates(const struct hunt *h, uint64_t mark)
{
    for (size_t i = 0; i < h->models.n; i++)
        if (campaign_violates(mark, i))
            return true;
    return false;
}

static bool write_history(struct campaign *c, const assay_history *history, uint64_t mark)
{
    struct hunt *h = c->arg;
    char name[256];
    struct outfile f;
    if (!h->set.out || !(h->set.all || violates(h, mark)))
        return true;
    snprintf(name, sizeof name, "%s-%llu.hist", shape(h), (unsigned long long)++h->written);
    if (!outfile_open_in(&f, h->set.out, name))
        return false;
    comment(h, mark, f.stream);
    return outfile_history(&f, history);
}

/* ---- output ---- */

enum { SHAPE_WIDTH = 9, MODEL_WIDTH = 16 };

static void print_heading(const struct hunt *h)
{
    char title[64];
    unsigned n = hardware_processors();
    if (h->set.json)
        return;
    printf("%s, %u processor%s\n\n", hardware_architecture(), n, plural(n));
    printf("%-*s  threads       runs  outcomes", SHAPE_WIDTH, "shape");
    for (size_t i = 0; i < h->models.n; i++) {
        snprintf(title, sizeof title, "%s violations", settings_meant(h->models.at[i]));
        printf("  %-*s", MODEL_WIDTH, title);
    }
    puts("  seconds");
    fflush(stdout);
}

static void print_row(const struct hunt *h)
{
    const struct campaign *c = &h->campaign;
    char text[96];
    printf("%-*s  %7u  %9llu  %8llu", SHAPE_WIDTH, shape(h), c->threads, (unsigned long long)c->runs,
           (unsigned long long)c->outcomes);
    for (size_t i = 0; i < h->models.n; i++) {
        const struct campaign_tally *t = &c->tallies[i];
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)t->violations);
        if (t->violations)
            n += snprintf(text + n, sizeof text - (size_t)n, " (%.3g%%)",
                          100.0 * (double)t->violations / (double)c->runs);
        if (t->undecided)
            snprintf(text + n, sizeof text - (size_t)n, ", %llu open", (unsigned long long)t->undecided);
        printf("  %-*s", MODEL_WIDTH, text);
    }
    printf("  %7.2f\n", c->seconds);
    fflush(stdout);
}

static void print_object(const struct hunt *h)
{
    const struct campaign *c = &h->campaign;
    print_json_text(stdout, '{', "shape", shape(h));
    printf(",\"threads\":%u,\"operations\":%u,\"runs\":%llu,\"outcomes\":%llu,\"models\":[", c->threads, c->operations,
           (unsigned long long)c->runs, (unsigned long long)c->outcomes);
    for (size_t i = 0; i < h->models.n; i++) {
        const struct campaign_tally *t = &c->tallies[i];
        fputs(i ? "," : "", stdout);
        print_json_model(stdout, '{', h->models.at[i]);
        printf(",\"promised\":%s", hardware_promises(h->models.at[i]) ? "true" : "false");
        print_json_number(stdout, "violations", t->violations, true);
        print_json_number(stdout, "histories", t->histories, true);
        print_json_number(stdout, "undecided", t->undecided, true);
        print_json_text(stdout, ',', "example", t->example);
        fputc('}', stdout);
    }
    fputc(']', stdout);
    print_json_text(stdout, ',', "architecture", hardware_architecture());
    printf(",\"processors\":%u,\"seconds\":%.6f}\n", hardware_processors(), c->seconds);
    fflush(stdout);
}

static void print_promise(const struct hunt *h)
{
    bool itself = false, part = false;
    for (size_t i = 0; i < h->models.n; i++) {
        part = part || hardware_promises(h->models.at[i]);
        itself = itself || (hardware_promise() && strcmp(settings_meant(h->models.at[i]), hardware_promise()) == 0);
    }
    if (!hardware_promise())
        printf("%s promises coherence, an order of the writes of each variable by itself; this is "
               "none of the "
               "models above\n",
               hardware_architecture());
    else if (h->campaign.broken)
        printf("%s promises %s, and BREAKS it here\n", hardware_architecture(), hardware_promise());
    else if (itself)
        printf("%s promises %s, and no run broke it\n", hardware_architecture(), hardware_promise());
    else if (part)
        printf("%s promises %s, and no run broke those models above that it implies\n", hardware_architecture(),
               hardware_promise());
    else
        printf("%s promises %s, which was not checked\n", hardware_architecture(), hardware_promise());
}

static void print_conclusion(const struct hunt *h)
{
    if (h->set.json)
        return;
    putchar('\n');
    print_promise(h);
    if (h->campaign.crowded)
        puts("where there are more threads than processors, they take turns, and little can be "
             "seen");
    if (h->shown)
        printf("\n%s:\n\n%s", h->campaign.broken ? "the first violation of what is promised" : "the first violation",
               h->shown);
}

/* ---- settings ---- */

static bool find_shape(const char *name)
{
    struct suggestion s = {.typed = name};
    suggest_offer(&s, HARDWARE_RANDOM);
    for (const struct hardware_shape *known = hardware_shapes; known->name; known++) {
        if (strcmp(known->name, name) == 0)
            return true;
        suggest_offer(&s, known->name);
    }
    if (strcmp(name, HARDWARE_RANDOM) == 0)
        return true;
    complain_unknown(&s, "`assay hardware --help` shows the shapes", "--shape: unknown shape '%s'", name);
    return false;
}

/* All shapes as a list that can be split. */
static char *every_shape(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    for (const struct hardware_shape *s = hardware_shapes; s->name; s++)
        fprintf(f, "%s,", s->name);
    fputs(HARDWARE_RANDOM, f);
    memory_close(f, &text);
    return text;
}

/* An option for random programs shall not be without effect. */
static const char *random_option(const struct hardware_options *set)
{
    const struct {
        unsigned value;
        const char *name;
    } given[] = {{set->threads, "threads"}, {set->operations, "operations"}, {set->variables, "variables"},
                 {set->reads, "reads"},     {set->fences, "fences"},         {set->rmws, "rmws"}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value != NOT_GIVEN)
            return given[i].name;
    return NULL;
}

static bool choose_shapes(struct hunt *h)
{
    const char *option = random_option(&h->set);
    const char *text = h->set.shapes ? h->set.shapes : option ? HARDWARE_RANDOM : "all";
    char *all = strcmp(text, "all") == 0 ? every_shape() : NULL;
    bool random = false;
    bool fine = names_split(&h->shapes, all ? all : text, "--shape: a name");
    for (size_t i = 0; i < h->shapes.n && fine; i++) {
        fine = find_shape(h->shapes.at[i]);
        random = random || strcmp(h->shapes.at[i], HARDWARE_RANDOM) == 0;
    }
    free(all);
    if (fine && option && !random)
        complain("--%s is for random programs alone (add --shape %s,%s)", option, h->set.shapes, HARDWARE_RANDOM);
    return fine && (random || !option);
}

static bool choose_models(struct hunt *h)
{
    struct settings probed = {.object = "memory"};
    const char *text = h->set.models ? h->set.models : "sc,tso";
    if (!names_split(&h->models, text, "-m: a model's name"))
        return false;
    if (h->models.n > CAMPAIGN_MOST_MODELS) {
        complain("-m: at most %d models at a time", CAMPAIGN_MOST_MODELS);
        return false;
    }
    return settings_probe(&probed, h->models.at, h->models.n);
}

static bool choose_strides(struct hunt *h)
{
    struct names list;
    bool fine = names_split(&list, h->set.strides ? h->set.strides : "8,64,4096", "--stride: a number");
    h->strides = grow(NULL, list.n * sizeof *h->strides);
    for (size_t i = 0; i < list.n && fine; i++) {
        unsigned long long n = 0;
        fine = whole_number(list.at[i], 0, UINT_MAX - 1, &n);
        h->strides[i] = (unsigned)n;
        if (!fine)
            complain("--stride: expected a number of bytes, not '%s'", list.at[i]);
    }
    h->campaign.hardware.strides = h->strides;
    h->campaign.hardware.stride_count = list.n;
    names_free(&list);
    return fine;
}

static unsigned or_else(unsigned given, unsigned fallback)
{
    return given == NOT_GIVEN ? fallback : given;
}

static bool choose_rest(struct hunt *h)
{
    const struct hardware_options *set = &h->set;
    unsigned processors = hardware_processors();
    if (set->pin && set->no_pin) {
        complain("--pin and --no-pin exclude each other");
        return false;
    }
    if (set->all && !set->out) {
        complain("--all says which histories to write: name a folder with --out");
        return false;
    }
    h->campaign.hardware.threads = or_else(set->threads, processors < 2 ? 2 : processors > 8 ? 8 : processors);
    h->campaign.hardware.operations = or_else(set->operations, 100);
    h->campaign.hardware.variables = or_else(set->variables, 4);
    h->campaign.hardware.reads = or_else(set->reads, 50);
    h->campaign.hardware.fences = or_else(set->fences, 0);
    h->campaign.hardware.rmws = or_else(set->rmws, 0);
    h->campaign.hardware.seed = set->seed;
    h->campaign.hardware.pinning = set->no_pin ? HARDWARE_DO_NOT_PIN
                                   : set->pin  ? HARDWARE_PIN
                                               : HARDWARE_PIN_IF_POSSIBLE;
    return true;
}

/* ---- the command ---- */

static void show_progress(struct campaign *c)
{
    struct hunt *h = c->arg;
    progress_show(&h->progress, h->shape_number, h->shapes.n, shape(h));
}

static void prepare(struct hunt *h)
{
    struct campaign *c = &h->campaign;
    c->models = h->models.at;
    c->model_count = h->models.n;
    c->most_runs = h->set.runs;
    c->most_seconds = h->set.seconds;
    c->check_seconds = h->set.check_seconds;
    c->interrupt = stop_asked;
    c->arg = h;
    c->outcome = write_history;
    c->show = explain;
    c->batch = show_progress;
}

static bool run_shape(struct hunt *h)
{
    assay_error e = {0};
    h->written = 0;
    bool fine = campaign_run(&h->campaign, shape(h), &e);
    progress_hide(&h->progress);
    if (e.code)
        print_error(stderr, NULL, &e);
    return fine;
}

static int hunt(struct hunt *h)
{
    const struct campaign *c = &h->campaign;
    interrupt_sets_flag();
    prepare(h);
    progress_start(&h->progress, "shapes");
    print_heading(h);
    for (; h->shape_number < h->shapes.n && !h->faulty && !stopping(); h->shape_number++) {
        h->faulty = !run_shape(h);
        if (h->set.json && c->runs)
            print_object(h);
        else if (c->runs)
            print_row(h);
    }
    if (!h->faulty)
        print_conclusion(h);
    if (interrupted())
        complain("interrupted");
    campaign_forget(&h->campaign);
    return finish_output(h->faulty                  ? EXIT_FAULT
                         : c->broken                ? EXIT_VIOLATED
                         : c->open || interrupted() ? EXIT_OPEN
                                                    : EXIT_FINE);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct hunt h = {.set = {.threads = NOT_GIVEN,
                             .operations = NOT_GIVEN,
                             .variables = NOT_GIVEN,
                             .reads = NOT_GIVEN,
                             .fences = NOT_GIVEN,
                             .rmws = NOT_GIVEN,
                             .seed = 1}};
    struct arguments args;
    if (!options_parse(self, argc, argv, &h.set, &args))
        return args.status;
    int status = EXIT_FAULT;
    if (choose_shapes(&h) && choose_models(&h) && choose_strides(&h) && choose_rest(&h) && outfile_folder(h.set.out))
        status = hunt(&h);
    names_free(&h.shapes);
    names_free(&h.models);
    free(h.strides);
    free(h.shown);
    return status;
}

#define FIELD(name) offsetof(struct hardware_options, name)
static const struct option_row rows[] = {
    {0, "shape", "SHAPE[,SHAPE]", "litmus shapes, see below; random; or all, the default", OPTION_TEXT, FIELD(shapes),
     0},
    {'m', "model", "MODEL[,MODEL]", "the models (default: sc,tso)", OPTION_TEXT, FIELD(models), FAMILY(ASSAY_MODELS)},
    {0, "runs", "N", "runs per shape (default: 100000; of random programs 1000)", OPTION_NUMBER, FIELD(runs), 0},
    {0, "seconds", "S", "stop a shape after S seconds", OPTION_SECONDS, FIELD(seconds), 0},
    {0, "stride", "BYTES[,BYTES]", "distance between variables, in turns (default: 8,64,4096)", OPTION_TEXT,
     FIELD(strides), 0},
    {0, "threads", "K", "threads of random programs (default: one per processor, from 2 to 8)", OPTION_NUMBER,
     FIELD(threads), 0},
    {0, "operations", "N", "number of operations of all threads together (default: 100)", OPTION_NUMBER,
     FIELD(operations), 0},
    {0, "variables", "D", "number of variables (default: 4)", OPTION_NUMBER, FIELD(variables), 0},
    {0, "reads", "PERCENT", "share of reads (default: 50)", OPTION_PERCENT, FIELD(reads), 0},
    {0, "fences", "PERCENT", "share of fences (default: 0)", OPTION_PERCENT, FIELD(fences), 0},
    {0, "rmws", "PERCENT", "share of exchanges (default: 0)", OPTION_PERCENT, FIELD(rmws), 0},
    {0, "seed", "S", "the seed of the random programs (default: 1)", OPTION_SEED, FIELD(seed), 0},
    {0, "pin", NULL, "fail if threads cannot be kept on their processors", OPTION_FLAG, FIELD(pin), 0},
    {0, "no-pin", NULL, "let the system move threads", OPTION_FLAG, FIELD(no_pin), 0},
    {0, "time", "S", "give up after S seconds of CPU time, per history and model", OPTION_SECONDS, FIELD(check_seconds),
     0},
    {0, "out", "DIR", "write each distinct history that violates a model into DIR", OPTION_TEXT, FIELD(out), 0},
    {0, "all", NULL, "with --out: also those that violate none", OPTION_FLAG, FIELD(all), 0},
    {0, "json", NULL, "one JSON object per shape and line", OPTION_FLAG, FIELD(json), 0},
    {0},
};

const struct command command_hardware = {
    .name = "hardware",
    .summary = "Run litmus tests on this processor and check what its memory does.",
    .usage = "[--shape SHAPE[,SHAPE]] [options]",
    .notes = "shapes: SB MP LB S R 2+2W, SB+fence SB+fences SB+rmws R+fence, SB+own n6, CoRR CoWW CoWR\n"
             "CoRW RMW, 3.SB WRC RWC ISA2 IRIW (docs/guides/memories.md has their programs). With an option of "
             "random\n"
             "programs and without --shape, random programs alone are run.\n\n"
             "exit status: 2 on a fault; else 1 if a model is violated that every processor of this\n"
             "architecture promises (x86: tso); else 3 if interrupted or undecided; else 0. Violations "
             "of\n"
             "what is not promised, such as sc, are what the table is for.\n",
    .examples = "  assay hardware\n"
                "  assay hardware --shape SB,SB+fences --runs 1000000\n"
                "  assay hardware --operations 100000 --variables 16 --fences 1 --seconds 10\n"
                "  assay hardware --shape SB --stride 64 --out runs/\n",
    .options = rows,
    .run = run,
};
