/* SPDX-License-Identifier: Apache-2.0 */
/* assay drive: random clients against a store, whose histories are recorded and checked. */
#include "command.h"
#include "interrupt.h"
#include "names.h"
#include "outfile.h"
#include "output.h"
#include "progress.h"
#include "settings.h"

#include "assay.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct drive_options {
    const char *load, *nodes, *workload, *isolation, *set, *fault, *cluster, *check, *loss, *settle, *out;
    unsigned sessions, operations, keys, read_share, accesses, checkers;
    uint64_t seed, histories;
    double seconds, minutes, timeout, time;
    bool roam, keep_all, json;
};

struct driving {
    const struct drive_options *options;
    struct drive_campaign_settings campaign;
    struct names set, models;
    struct progress progress;
    struct drive_summary summary;
    char isolation[64];
    bool made_folder;
};

/* ---- the driver ---- */

static const assay_driver *named(const assay_driver *const *list, const char *name)
{
    while (*list && strcmp((*list)->name, name) != 0)
        list++;
    return *list;
}

static void offer_all(struct suggestion *s, const assay_driver *const *list)
{
    for (; *list; list++)
        suggest_offer(s, (*list)->name);
}

/* Stores without a driver of their own. */
static const struct relative {
    const char *name, *driver, *port;
} relatives[] = {
    {"mysql", "mariadb", "3306"},       {"percona", "mariadb", "3306"},       {"tidb", "mariadb", "4000"},
    {"cockroach", "postgres", "26257"}, {"cockroachdb", "postgres", "26257"}, {"yugabyte", "postgres", "5433"},
    {"yugabytedb", "postgres", "5433"}, {"postgresql", "postgres", "5432"},   {"valkey", "redis", "6379"},
};

static bool point_to_relative(const char *name)
{
    for (size_t i = 0; i < sizeof relatives / sizeof *relatives; i++)
        if (strcasecmp(relatives[i].name, name) == 0) {
            complain("drive: there is no driver '%s', but the driver %s speaks its protocol (`assay drive %s --nodes "
                     "HOST:%s`)",
                     name, relatives[i].driver, relatives[i].driver, relatives[i].port);
            return true;
        }
    return false;
}

/* The driver of that name; without a name the only one of the file, or the first of the table. */
static const assay_driver *find_driver(const char *file, const char *name)
{
    static const assay_driver *const none[] = {NULL};
    assay_error e = {0};
    const assay_driver *const *loaded = file ? driver_load(file, &e) : none, *found;
    if (!loaded) {
        print_error(stderr, NULL, &e);
        return NULL;
    }
    if (!name)
        return *loaded ? *loaded : driver_table[0];
    if ((found = named(loaded, name)) || (found = named(driver_table, name)))
        return found;
    if (point_to_relative(name))
        return NULL;
    struct suggestion s = {.typed = name};
    offer_all(&s, loaded);
    offer_all(&s, driver_table);
    complain_unknown(&s, "`assay list drivers` shows them", "drive: unknown driver '%s'", name);
    return NULL;
}

/* ---- settings ---- */

static bool find_workload(const char *name, const struct workload **out)
{
    *out = workload_find(name ? name : "single");
    if (*out)
        return true;
    struct suggestion s = {.typed = name};
    for (const struct workload *w = workload_table; w->name; w++)
        suggest_offer(&s, w->name);
    complain_unknown(&s, "`assay drive --help` shows them", "--workload: unknown workload '%s'", name);
    return false;
}

static bool within(const char *option, unsigned value, unsigned most)
{
    if (value <= most)
        return true;
    complain("%s: at most %u", option, most);
    return false;
}

static bool read_set(struct driving *x)
{
    struct drive_settings *d = &x->campaign.drive;
    if (!x->options->set)
        return true;
    if (!names_split(&x->set, x->options->set, "--set: a setting"))
        return false;
    if (x->set.n > DRIVE_MOST_SETTINGS) {
        complain("--set: at most %d settings", DRIVE_MOST_SETTINGS);
        return false;
    }
    for (size_t i = 0; i < x->set.n; i++) {
        char *value = strchr(x->set.at[i], '=');
        if (!value || value == x->set.at[i]) {
            complain("--set: expected NAME=VALUE, not '%s'", x->set.at[i]);
            return false;
        }
        *value++ = 0;
        d->set[d->set_count++] = (struct drive_setting){x->set.at[i], value};
    }
    return true;
}

static bool read_models(struct driving *x)
{
    const char *text = x->options->check ? x->options->check : x->campaign.drive.workload->models;
    if (strcmp(text, "none") == 0)
        return true;
    if (!names_split(&x->models, text, "--check: a model's name"))
        return false;
    for (size_t i = 0; i < x->models.n; i++) {
        if (!settings_known(ASSAY_MODELS, x->models.at[i]))
            return false;
        if (strlen(x->models.at[i]) >= DRIVE_MODEL_NAME) {
            complain("--check: '%s' is too long for the journal", x->models.at[i]);
            return false;
        }
    }
    struct settings probed = {.object = x->campaign.drive.workload->object};
    if (!settings_probe(&probed, x->models.at, x->models.n))
        return false;
    x->campaign.models = x->models.at;
    x->campaign.model_count = x->models.n;
    return x->models.n <= DRIVE_MOST_MODELS || within("--check", (unsigned)x->models.n, DRIVE_MOST_MODELS);
}

/* 0: one round, without waiting. */
static bool read_settle(const char *text, double *out)
{
    char *end = NULL;
    *out = text ? strtod(text, &end) : DRIVE_SETTLE;
    if (!text || (end != text && !*end && *out >= 0 && *out <= 1e6))
        return true;
    complain("--settle: expected a number of seconds, not '%s'", text);
    return false;
}

/* One that is made for a campaign that does not begin is removed again. */
static bool make_folder(struct driving *x)
{
    x->made_folder = access(x->options->out, F_OK) != 0;
    return outfile_folder(x->options->out);
}

static bool read_settings(struct driving *x)
{
    const struct drive_options *o = x->options;
    struct drive_settings *d = &x->campaign.drive;
    if (!o->out) {
        complain("drive: name a folder for the histories (--out DIR)");
        return false;
    }
    if (!o->histories && !o->minutes) {
        complain("--histories 0 goes on until it is stopped: say for how long (--minutes M)");
        return false;
    }
    if (o->loss && strcmp(o->loss, "allowed") != 0 && strcmp(o->loss, "forbidden") != 0) {
        complain("--loss: allowed or forbidden, not '%s'", o->loss);
        return false;
    }
    if (!read_settle(o->settle, &d->settle) || !find_workload(o->workload, &d->workload))
        return false;
    d->nodes = o->nodes;
    d->isolation = o->isolation ? driver_isolation(d->driver, o->isolation, x->isolation, sizeof x->isolation) : NULL;
    d->isolation = d->isolation ? d->isolation : o->isolation; /* which is refused when the campaign begins */
    d->sessions = o->sessions;
    d->operations = o->operations ? o->operations : o->seconds > 0 ? 0 : 200;
    d->seconds = o->seconds;
    d->keys = o->keys ? o->keys : d->workload->keys;
    d->read_share = o->read_share;
    d->most_accesses = o->accesses;
    d->roam = o->roam;
    d->timeout = o->timeout;
    d->seed = o->seed;
    d->faults = o->fault;
    d->cluster = o->cluster;
    d->folder = o->out;
    d->interrupt = stop_asked;
    x->campaign.histories = o->histories;
    x->campaign.seconds = o->minutes * 60;
    x->campaign.checkers = o->checkers ? o->checkers : 1;
    x->campaign.keep_all = o->keep_all || o->histories > 0;
    x->campaign.check = (assay_options){ASSAY_OPTIONS_INIT, .seconds = o->time, .interrupt = stop_asked};
    return within("--sessions", o->sessions, DRIVE_MOST_SESSIONS) && within("--keys", d->keys, WORKLOAD_MOST_KEYS) &&
           within("--accesses", o->accesses, WORKLOAD_MOST_ACCESSES) && read_set(x) && read_models(x) && make_folder(x);
}

/* ---- output ---- */

static void show_progress(void *context, uint64_t history, uint64_t operations)
{
    struct driving *x = context;
    char text[64];
    snprintf(text, sizeof text, "%llu operations of this one", (unsigned long long)operations);
    progress_show(&x->progress, (size_t)history, (size_t)x->campaign.histories, text);
}

static double rate(const struct drive_summary *s)
{
    return s->seconds > 0 ? (double)s->driven / s->seconds : 0;
}

/* Three digits, and no exponent. */
static void print_ms(const char *before, double ms)
{
    printf(ms < 1000 ? "%s%.3g ms" : "%s%.0f ms", before, ms);
}

static void print_latency(const struct latency *l, const char *before, double share)
{
    print_ms(before, (double)latency_percentile(l, share) / 1e6);
}

static void print_operations(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    const struct drive_settings *d = &x->campaign.drive;
    uint64_t all = drive_operations(&s->counts);
    printf("%s (%s), workload %s, ", d->driver->name, s->server[0] ? s->server : d->driver->title, d->workload->name);
    if (d->isolation) /* READ UNCOMMITTED permits reads that no model of transactions permits */
        printf("isolation %s%s, ", d->isolation, strcmp(d->isolation, "read-uncommitted") == 0 ? " (below rc)" : "");
    printf("%u session%s\n", d->sessions, d->sessions == 1 ? "" : "s");
    printf("%llu histor%s", (unsigned long long)s->histories, s->histories == 1 ? "y" : "ies");
    if (s->earlier)
        printf(" (%llu of them earlier)", (unsigned long long)s->earlier);
    if (s->cut)
        printf(" (%llu cut short)", (unsigned long long)s->cut);
    printf(", %llu operations: %llu committed, %llu aborted, %llu unknown\n", (unsigned long long)all,
           (unsigned long long)s->counts.committed, (unsigned long long)s->counts.aborted,
           (unsigned long long)s->counts.unknown);
    if (!s->latency.count)
        return;
    printf("%.0f operations a second; latency", rate(s));
    print_latency(&s->latency, " p50 ", 0.5);
    print_latency(&s->latency, ", p90 ", 0.9);
    print_latency(&s->latency, ", p99 ", 0.99);
    print_latency(&s->latency, ", max ", 1);
    putchar('\n');
}

static void print_staleness(const struct driving *x)
{
    const struct drive_staleness *b = &x->summary.staleness;
    if (!b->reads)
        return;
    printf("%llu reads, %.3g %% of them stale", (unsigned long long)b->reads,
           100 * (double)b->stale / (double)b->reads);
    if (b->stale) {
        printf(": up to %llu version%s", (unsigned long long)b->versions, b->versions == 1 ? "" : "s");
        print_ms(" and ", (double)b->ns / 1e6);
        printf(" behind (`assay stale %s` shows them)", spoken(x->options->out));
    }
    putchar('\n');
}

static bool loss_allowed(const struct driving *x)
{
    return x->options->loss && strcmp(x->options->loss, "allowed") == 0;
}

/* The balances of accounts, and counters with unknown increments, give a least number. */
static const char *least(const struct driving *x)
{
    assay_action changes = x->campaign.drive.workload->changes;
    return changes == ASSAY_ACTION_TRANSFER || (changes == ASSAY_ACTION_ADD && x->summary.counts.unknown) ? "at least "
                                                                                                          : "";
}

static void print_durability(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    const struct drive_durability *d = &s->durability;
    char file[4096];
    if (!s->judged)
        return;
    printf("%llu acknowledged write%s: %s%llu lost%s, %llu duplicated, %llu unexpected\n",
           (unsigned long long)d->acknowledged, d->acknowledged == 1 ? "" : "s", d->lost ? least(x) : "",
           (unsigned long long)d->lost, d->lost && loss_allowed(x) ? " (allowed)" : "",
           (unsigned long long)d->duplicated, (unsigned long long)d->unexpected);
    for (uint64_t i = 0; i < d->example_count; i++)
        printf("  %s\n", d->examples[i]);
    if (s->first_loss) {
        drive_path(x->options->out, s->first_loss, ".hist", file, sizeof file);
        printf("  in %s\n", spoken(file));
    }
    if (d->missed)
        printf("%llu node%s could not be read in the end\n", (unsigned long long)d->missed, d->missed == 1 ? "" : "s");
    if (s->differ > 0 && d->missed < s->differ)
        printf("nodes had different values in the end of %llu histor%s, after %g seconds (--settle)\n",
               (unsigned long long)s->differ, s->differ == 1 ? "y" : "ies", x->campaign.drive.settle);
}

/* No final reads: what they wrote is not among the acknowledged writes. */
static void print_cut(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    char file[4096];
    if (!s->cut)
        return;
    printf("%llu histor%s interrupted: %s writes were not read back (", (unsigned long long)s->cut,
           s->cut == 1 ? "y was" : "ies were", s->cut == 1 ? "its" : "their");
    for (uint64_t i = 0; i < s->cut && i < DRIVE_CUT_NAMED; i++) {
        drive_path(x->options->out, s->cut_numbers[i], ".hist", file, sizeof file);
        printf("%s%s", i ? ", " : "", spoken(file));
    }
    puts(s->cut > DRIVE_CUT_NAMED ? ", ...)" : ")");
}

static void print_models(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    if (!x->models.n || !s->histories)
        return;
    printf("\n%-12s  %10s  %10s  %10s\n", "model", "consistent", "violations", "undecided");
    for (size_t i = 0; i < x->models.n; i++) {
        const struct drive_model_count *m = &s->models[i];
        printf("%-12s  %10llu  %10llu  %10llu", m->model,
               (unsigned long long)(s->histories - m->violations - m->undecided - m->errors),
               (unsigned long long)m->violations, (unsigned long long)m->undecided);
        if (m->errors)
            printf("  (%llu could not be checked)", (unsigned long long)m->errors);
        putchar('\n');
    }
}

/* Why the history violates the model. */
static void explain(const char *file, const char *model)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .interrupt = stop_asked};
    assay_reader *reader = assay_reader_open(file, NULL, &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = h ? assay_check(h, model, &options, &e) : NULL;
    assay_report_options how = {ASSAY_REPORT_OPTIONS_INIT, .explain = true, .color = wants_color(),
                                .width = terminal_width(), .file = file};
    if (r)
        put_report(r, "text", &how, stdout);
    else if (e.code != ASSAY_OK)
        print_error(stderr, file, &e);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
}

static void print_violation(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    char file[4096];
    if (!s->first_violation)
        return;
    drive_path(x->options->out, s->first_violation, ".hist", file, sizeof file);
    printf("\nthe first violation:\n\n");
    explain(file, s->first_model);
    printf("\n`assay grade %s` shows all models, `assay check -m %s --shrink --explain %s` a smaller history.\n",
           spoken(file), s->first_model, spoken(file));
}

static void print_text(const struct driving *x)
{
    print_operations(x);
    print_staleness(x);
    print_durability(x);
    print_cut(x);
    print_models(x);
    print_violation(x);
}

static void print_durability_object(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    const struct drive_durability *d = &s->durability;
    if (!s->judged)
        return;
    printf(
        ",\"durability\":{\"judged\":%llu,\"acknowledged\":%llu,\"lost\":%llu,\"duplicated\":%llu,\"unexpected\":%llu,"
        "\"not_read\":%llu,\"differ\":%llu,\"allowed\":%s,\"examples\":[",
        (unsigned long long)s->judged, (unsigned long long)d->acknowledged, (unsigned long long)d->lost,
        (unsigned long long)d->duplicated, (unsigned long long)d->unexpected, (unsigned long long)d->missed,
        (unsigned long long)s->differ, loss_allowed(x) ? "true" : "false");
    for (uint64_t i = 0; i < d->example_count; i++) {
        fputs(i ? "," : "", stdout);
        drive_journal_string(stdout, d->examples[i]);
    }
    fputs("]}", stdout);
}

static void print_object(const struct driving *x)
{
    const struct drive_summary *s = &x->summary;
    const struct drive_settings *d = &x->campaign.drive;
    char file[4096];
    print_json_text(stdout, '{', "driver", d->driver->name);
    print_json_text(stdout, ',', "server", s->server);
    print_json_text(stdout, ',', "workload", d->workload->name);
    if (d->isolation)
        print_json_text(stdout, ',', "isolation", d->isolation);
    printf(",\"sessions\":%u,\"histories\":%llu,\"earlier\":%llu,\"committed\":%llu,\"aborted\":%llu,\"unknown\":%llu",
           d->sessions, (unsigned long long)s->histories, (unsigned long long)s->earlier,
           (unsigned long long)s->counts.committed, (unsigned long long)s->counts.aborted,
           (unsigned long long)s->counts.unknown);
    print_json_number(stdout, "interrupted", s->cut, true);
    printf(",\"rate\":%.0f,\"latency_us\":{\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"max\":%.1f},\"models\":[", rate(s),
           (double)latency_percentile(&s->latency, 0.5) / 1e3, (double)latency_percentile(&s->latency, 0.9) / 1e3,
           (double)latency_percentile(&s->latency, 0.99) / 1e3, (double)s->latency.most / 1e3);
    for (size_t i = 0; i < x->models.n; i++) {
        const struct drive_model_count *m = &s->models[i];
        fputs(i ? "," : "", stdout);
        print_json_text(stdout, '{', "model", m->model);
        print_json_number(stdout, "violations", m->violations, true);
        print_json_number(stdout, "undecided", m->undecided, true);
        print_json_number(stdout, "errors", m->errors, true);
        putchar('}');
    }
    fputs("]", stdout);
    print_durability_object(x);
    if (s->staleness.reads)
        printf(",\"reads\":%llu,\"stale\":%llu,\"versions_behind\":%llu,\"ns_behind\":%llu",
               (unsigned long long)s->staleness.reads, (unsigned long long)s->staleness.stale,
               (unsigned long long)s->staleness.versions, (unsigned long long)s->staleness.ns);
    if (s->first_violation) {
        drive_path(x->options->out, s->first_violation, ".hist", file, sizeof file);
        print_json_text(stdout, ',', "first_violation", file);
        print_json_text(stdout, ',', "violated", s->first_model);
    }
    puts("}");
}

/* ---- the command ---- */

static int status_of(const struct driving *x, bool fine)
{
    const struct drive_durability *d = &x->summary.durability;
    bool violated = d->duplicated || d->unexpected || (d->lost && !loss_allowed(x));
    bool open = x->summary.stopped, faulty = !fine;
    for (size_t i = 0; i < x->models.n; i++) {
        violated = violated || x->summary.models[i].violations;
        open = open || x->summary.models[i].undecided;
        faulty = faulty || x->summary.models[i].errors;
    }
    return faulty ? EXIT_FAULT : violated ? EXIT_VIOLATED : open ? EXIT_OPEN : EXIT_FINE;
}

static int drive(struct driving *x)
{
    assay_error e = {0};
    x->campaign.progress = show_progress;
    x->campaign.context = x;
    progress_start(&x->progress, "histories");
    interrupt_sets_flag();
    bool fine = drive_campaign_run(&x->campaign, &x->summary, &e);
    progress_hide(&x->progress);
    if (!fine && x->made_folder)
        rmdir(x->options->out); /* unless there is something in it */
    if (x->summary.histories)
        (x->options->json ? print_object : print_text)(x);
    if (interrupted())
        complain("interrupted; the same command goes on");
    else if (fine && x->summary.driven && x->summary.missed)
        complain("%zu of the faults never began: the campaign was over before (more --ops, --histories or --seconds)",
                 x->summary.missed);
    fflush(stdout);
    if (x->summary.unchecked.code != ASSAY_OK)
        print_error(stderr, NULL, &x->summary.unchecked);
    if (e.code != ASSAY_OK)
        print_error(stderr, NULL, &e);
    return finish_output(status_of(x, fine));
}

/* The driver that help is about: the first argument, or that of --load. */
static const assay_driver *help_about(int argc, char **argv)
{
    static const char load[] = "--load";
    assay_error ignored = {0};
    for (int i = 0; i < argc; i++) {
        bool joined = strncmp(argv[i], "--load=", sizeof load) == 0;
        const char *file = joined                                       ? argv[i] + sizeof load
                           : strcmp(argv[i], load) == 0 && i + 1 < argc ? argv[i + 1]
                                                                        : NULL;
        const assay_driver *const *loaded = file ? driver_load(file, &ignored) : NULL;
        if (loaded && *loaded)
            return *loaded;
    }
    return argc > 0 && argv[0][0] != '-' ? named(driver_table, argv[0]) : NULL;
}

/* Help for one driver: its settings, levels and levers. */
static void describe_driver(const assay_driver *d, FILE *to)
{
    fprintf(to, "The driver %s: %s%s%s%s.\n", d->name, d->title, d->missing ? " (" : "", d->missing ? d->missing : "",
            d->missing ? ")" : "");
    if (d->nodes)
        fprintf(to, "  --nodes %s unless others are given\n", d->nodes);
    if (d->isolations)
        fprintf(to, "  --isolation %s\n", d->isolations);
    for (const assay_driver_setting *s = d->settings; s && s->name; s++)
        fprintf(to, "  --set %s=%s\n      %s%s%s\n", s->name, s->values, s->help, *s->fallback ? "; default: " : "",
                s->fallback);
    for (const assay_lever *l = d->levers; l && l->name; l++)
        fprintf(to, "  --fault %s:NODE@START+DURATION\n      %s\n", l->name, l->help);
    fputs("  --workload", to);
    for (const struct workload *w = workload_table; w->name; w++)
        if ((d->actions & workload_actions(w)) == workload_actions(w) && !(w->transactions && d->most_accesses == 1))
            fprintf(to, " %s", w->name);
    fputs("\n\n", to);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct drive_options o = {
        .sessions = 4, .read_share = 50, .accesses = 4, .seed = 1, .histories = 1, .timeout = 10, .time = 60};
    struct driving x = {.options = &o};
    struct arguments args;
    struct command narrowed = *self;
    const assay_driver *first = help_about(argc, argv);
    char *notes = NULL;
    size_t size = 0;
    if (first) {
        FILE *to = memory_stream(&notes, &size);
        describe_driver(first, to);
        fputs(self->notes, to);
        memory_close(to, &notes);
        narrowed.notes = notes;
    }
    bool parsed = options_parse(&narrowed, argc, argv, &o, &args);
    free(notes);
    if (!parsed)
        return args.status;
    x.campaign.drive.driver = find_driver(o.load, args.n ? args.at[0] : NULL);
    int status = x.campaign.drive.driver && read_settings(&x) ? drive(&x) : EXIT_FAULT;
    names_free(&x.set);
    names_free(&x.models);
    return status;
}

static const char *const *drivers(void)
{
    static const char *names[32];
    for (size_t i = 0; driver_table[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = driver_table[i]->name;
    return names;
}

#define ROW(letter, name, value, help, type, field, family)                                                            \
    {                                                                                                                  \
        letter, name, value, help, type, offsetof(struct drive_options, field), family                                 \
    }

static const struct option_row rows[] = {
    ROW(0, "out", "DIR", "the folder for histories and the journal; a campaign found there is resumed", OPTION_TEXT,
        out, 0),
    ROW(0, "workload", "W", "single, register, list, counter, set, queue or bank (default: single)", OPTION_TEXT,
        workload, 0),
    ROW(0, "nodes", "HOST:PORT,...", "the servers; sessions are clients of the nodes in turn", OPTION_TEXT, nodes, 0),
    ROW(0, "roam", NULL, "a session runs each transaction at any node", OPTION_FLAG, roam, 0),
    ROW(0, "sessions", "K", "clients, each with its own connection (default: 4)", OPTION_NUMBER, sessions, 0),
    ROW(0, "ops", "N", "operations per history, of all sessions together (default: 200)", OPTION_NUMBER, operations, 0),
    ROW(0, "seconds", "S", "end a history after S seconds", OPTION_SECONDS, seconds, 0),
    ROW(0, "keys", "V", "default: as the workload has it", OPTION_NUMBER, keys, 0),
    ROW(0, "read-share", "PERCENT", "share of reads among the accesses (default: 50)", OPTION_PERCENT, read_share, 0),
    ROW(0, "accesses", "A", "accesses per transaction, at most (default: 4)", OPTION_NUMBER, accesses, 0),
    ROW(0, "seed", "S", "the seed of the clients (default: 1)", OPTION_SEED, seed, 0),
    ROW(0, "histories", "H",
        "drive until the folder has H histories, with the seeds S, S+1, ... (default: 1; 0: no limit)", OPTION_SEED,
        histories, 0),
    ROW(0, "minutes", "M", "begin no new history after M minutes", OPTION_SECONDS, minutes, 0),
    ROW(0, "isolation", "LEVEL",
        "isolation level of the transactions, as the store calls it: REPEATABLE READ or repeatable-read", OPTION_TEXT,
        isolation, 0),
    ROW(0, "set", "NAME=VALUE,...", "settings of the driver: `assay drive DRIVER --help`", OPTION_TEXT, set, 0),
    ROW(0, "fault", "FAULT,...", "faults while driving: pause:2@5s+3s, see below", OPTION_TEXT, fault, 0),
    ROW(0, "cluster", "DIR", "the folder of a cluster of `assay cluster`, if it is not the usual one", OPTION_TEXT,
        cluster, 0),
    ROW(0, "timeout", "S", "the outcome is unknown after S seconds without an answer (default: 10)", OPTION_SECONDS,
        timeout, 0),
    ROW(0, "settle", "S", "at the end, read all nodes until they agree, for at most S seconds (default: 10)",
        OPTION_TEXT, settle, 0),
    ROW(0, "loss", "allowed", "the setting permits the loss of acknowledged writes: no failure", OPTION_TEXT, loss, 0),
    ROW(0, "check", "MODEL,...", "the models; none: check nothing (default: those of the workload)", OPTION_TEXT, check,
        FAMILY(ASSAY_MODELS)),
    ROW('j', "jobs", "N", "checking threads (default: 1)", OPTION_NUMBER, checkers, 0),
    ROW(0, "time", "S", "give up a check after S seconds of CPU time (default: 60)", OPTION_SECONDS, time, 0),
    ROW(0, "keep-all", NULL, "with --histories 0: keep every history, not only violations and a sample", OPTION_FLAG,
        keep_all, 0),
    ROW(0, "load", "FILE.so", "a driver of your own: docs/guides/databases.md", OPTION_TEXT, load, 0),
    ROW(0, "json", NULL, "one JSON object", OPTION_FLAG, json, 0),
    {0},
};

const struct command command_drive = {
    .name = "drive",
    .summary = "Run random clients against a database, and check what they see.",
    .usage = "[DRIVER] --out DIR [options]",
    .notes =
        "`assay list drivers` shows the drivers, `assay drive DRIVER --help` the settings of one. The default is\n"
        "sqlite, which needs no server. DIR gets one file per history and journal.jsonl; the same command again\n"
        "resumes where it stopped. An operation without an answer is recorded as one that may have happened.\n\n"
        "A fault is KIND:NODE@START+DURATION, with times from the start of a history. KIND is pause, kill or cut, "
        "which\n"
        "need a cluster of `assay cluster`, or a lever of the driver. random:SEED draws one fault after another.\n\n"
        "Each history ends, after the faults have healed, with reads of all that was written, at every node:\n"
        "writes that the store had acknowledged and has lost are reported.\n\n"
        "exit status: 2 on a fault; else 1 if a model is violated, or acknowledged writes are lost (unless\n"
        "--loss allowed) or duplicated, or values are there that nobody wrote; else 3 if interrupted or undecided;\n"
        "else 0.\n",
    .examples = "  assay drive --out runs/\n"
                "  assay drive galera --histories 20 --out galera/ --set wsrep_sync_wait=1\n"
                "  assay drive postgres --workload register --isolation serializable --out pg/\n"
                "  assay drive redis --seconds 20 --fault kill:2@5s+3s --out faults/\n"
                "  assay drive etcd --histories 0 --minutes 60 --fault random:1 --out night/\n",
    .options = rows,
    .most = 1,
    .words = drivers,
    .run = run,
};
