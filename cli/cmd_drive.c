/* SPDX-License-Identifier: Apache-2.0 */
/* assay drive: random clients against a store, whose histories are recorded and checked. */
#include "command.h"
#include "drive_report.h"
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
    const assay_promise *promise; /* of the isolation level, if the driver says it */
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

/* Jepsen's words for workloads. */
static const struct workload_name {
    const char *name, *workload;
} workload_names[] = {{"append", "list"},          {"list-append", "list"},
                      {"rw-register", "register"}, {"wr", "register"},
                      {"txn", "register"},         {"sets", "set"},
                      {"set-full", "set"},         {"total-queue", "queue"},
                      {"cas-register", "single"},  {"linearizable-register", "single"}};

static const char *usual_workload(const struct drive_options *o, const assay_driver *d)
{
    return o->isolation && d->most_accesses != 1 ? "register" : "single";
}

static bool find_workload(const char *name, const struct workload **out)
{
    *out = workload_find(name);
    if (*out)
        return true;
    struct suggestion s = {.typed = name};
    for (const struct workload *w = workload_table; w->name; w++)
        suggest_offer(&s, w->name);
    for (size_t i = 0; i < sizeof workload_names / sizeof *workload_names; i++)
        if (strcasecmp(workload_names[i].name, name) == 0)
            s = (struct suggestion){.typed = name, .best = {workload_names[i].workload}, .n = 1};
    complain_unknown(&s, "`assay drive --help` shows them", "--workload: unknown workload '%s'", name);
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
        if (strlen(x->models.at[i]) >= DRIVE_MODEL_NAME) {
            complain("--check: '%s' is too long for the journal", x->models.at[i]);
            return false;
        }
    }
    struct settings probed = {.object = x->campaign.drive.workload->object};
    if (!settings_probe(&probed, x->models.at, x->models.n))
        return false;
    x->promise = drive_promise(&x->campaign.drive);
    x->campaign.promise = !x->options->check && x->promise ? x->promise->model : NULL;
    x->campaign.models = x->models.at;
    x->campaign.model_count = x->models.n;
    return x->models.n <= DRIVE_MOST_MODELS || option_within("check", (unsigned)x->models.n, DRIVE_MOST_MODELS);
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
    if (!read_settle(o->settle, &d->settle) ||
        !find_workload(o->workload ? o->workload : usual_workload(o, d->driver), &d->workload))
        return false;
    if (o->isolation && strcmp(d->workload->name, "single") == 0)
        complain("warning: the workload single has one access a transaction, so it says nothing about isolation "
                 "(--workload register or list)");
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
    return option_within("sessions", o->sessions, DRIVE_MOST_SESSIONS) &&
           option_within("keys", d->keys, WORKLOAD_MOST_KEYS) &&
           option_within("accesses", o->accesses, WORKLOAD_MOST_ACCESSES) && read_set(x) && read_models(x) &&
           make_folder(x);
}

/* ---- the command ---- */

static void show_progress(void *context, uint64_t history, uint64_t operations)
{
    struct driving *x = context;
    char text[64];
    snprintf(text, sizeof text, "%llu operations of this one", (unsigned long long)operations);
    progress_show(&x->progress, (size_t)history, (size_t)x->campaign.histories, text);
}

static int drive(struct driving *x)
{
    const struct drive_options *o = x->options;
    const struct driven said = {.campaign = &x->campaign,
                                .summary = &x->summary,
                                .promise = x->promise,
                                .folder = o->out,
                                .chosen = o->check != NULL,
                                .may_lose = o->loss && strcmp(o->loss, "allowed") == 0};
    assay_error e = {0};
    x->campaign.progress = show_progress;
    x->campaign.context = x;
    progress_start(&x->progress, "histories");
    interrupt_sets_flag();
    bool fine = drive_campaign_run(&x->campaign, &x->summary, &e);
    progress_hide(&x->progress);
    if (!fine && x->made_folder)
        rmdir(o->out); /* unless there is something in it */
    if (x->summary.histories)
        (o->json ? driven_object : driven_text)(&said);
    if (interrupted())
        complain("interrupted; the same command goes on");
    else if (fine && x->summary.driven && x->summary.faults.missed)
        complain("%zu of the faults never began: the campaign was over before (more --ops, --histories or --seconds)",
                 x->summary.faults.missed);
    fflush(stdout);
    if (x->summary.unchecked.code != ASSAY_OK)
        print_error(stderr, NULL, &x->summary.unchecked);
    if (e.code != ASSAY_OK)
        print_error(stderr, NULL, &e);
    return finish_output(driven_status(&said, fine));
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

#define ROW(...) OPTION_ROW(drive_options, __VA_ARGS__)

static const struct option_row rows[] = {
    ROW(0, "out", "DIR", "the folder for histories and the journal; a campaign found there is resumed", OPTION_TEXT,
        out, 0),
    ROW(0, "workload", "W",
        "single, register, list, counter, set, queue or bank (default: single; with --isolation: register)",
        OPTION_TEXT, workload, 0),
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
        "With --isolation the last line says what the store's manual promises of that level, and whether it was\n"
        "kept. Stronger models are in the table; unless --check names them, to violate them is no failure.\n\n"
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
